# Defines create_plant, which docs/api.md explains. Reads BASE_URL and ACCESS_TOKEN.
# Its first retry waits a second, as long as Retry-After asks for.

create_plant() {
  for wait in 1 2 4 8 0; do
    response=$({ curl -sS --max-time 30 -w ' %{http_code}' "$BASE_URL/plants" -d "$1" \
      -H "Authorization: Bearer $ACCESS_TOKEN" -H 'Content-Type: application/json' ||
      printf ' no response'; } | head -c 3000000)
    case $response in
      '{'*'"name":"'*'"} 200') printf '%s\n' "${response% 200}"; return ;;
      *' no response' | *'"error":1500'[,}]* | *' 429' | *' 5'??) sleep "$wait" ;;
      *) break ;;
    esac
  done
  printf 'failed: %.200s\n' "$response" >&2
  return 1
}
