/** Reads JSON from the service. */
export async function json(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** Sends a request with the token shown on the page. */
export function send({ method, target, type, body }) {
  const token = document.querySelector('#token input').value;
  const headers = {
    ...(type && { 'Content-Type': type }),
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  // Sends bytes, because fetch would set a Content-Type for a string.
  return fetch(target, { method, headers, ...(body && { body: new TextEncoder().encode(body) }) });
}
