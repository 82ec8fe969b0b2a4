import contextlib, json, os, random, threading, time, urllib.request

class PlantError(Exception):
    def __init__(self, status, code, body, request_id):
        super().__init__(f"{status} {body[:200]} (request {request_id})")
        self.status, self.code, self.body, self.request_id = status, code, body, request_id

class EveryResponse(urllib.request.HTTPErrorProcessor):
    """Returns redirects instead of following them."""
    https_response = http_response = lambda self, request, response: response

def send(request, responses):
    with contextlib.suppress(Exception), urllib.request.build_opener(EveryResponse).open(request, timeout=30) as response:
        body = response.read(3_000_000).decode(errors="replace")
        responses.append((0 if response.length else response.status, body, response.headers["x-amzn-RequestId"]))

def create_plant(plant):
    """Returns the created plant. Raises PlantError with the error code, if there is one, in `code`."""
    headers = {"Authorization": f"Bearer {os.environ['ACCESS_TOKEN']}", "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["BASE_URL"] + "/plants", json.dumps(plant).encode(), headers)
    # The first retry waits at least a second, as long as Retry-After asks for.
    for wait in (1, 2, 4, 8, 0):
        responses, result = [], {}
        # In a thread, because urllib limits only the time between two bytes.
        thread = threading.Thread(target=send, args=(request, responses), daemon=True)
        thread.start()
        thread.join(30)
        status, body, request_id = (responses or [(0, "no response", None)])[0]
        with contextlib.suppress(Exception):
            result = {**json.loads(body)}
        if status == 200 and isinstance(result.get("name"), str) and isinstance(result.get("tag", ""), str):
            return result
        if status not in (0, 429) and status < 500 and result.get("error") != 1500:
            break
        time.sleep(wait * random.uniform(1, 1.5))
    raise PlantError(status, result.get("error"), body, request_id)
