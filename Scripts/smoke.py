#!/usr/bin/env python3
"""Asks a service for each address of its description, and fails at the first answer that is an error of the service."""
import json
import sys
import time
import urllib.error
import urllib.request

url = sys.argv[1]
# Values for the parameters of paths; the examples of the description fill bodies.
VALUES = {"ticker": "AAPL", "id": "00000000-0000-7000-8000-000000000000", "accession": "0000320193-25-000079"}
# Statuses that tell of something missing, and not of a mistake.
ALLOWED = {502, 503, 504}


def ask(method, path, body=None):
    request = urllib.request.Request(url + path, method=method)
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, data, timeout=90) as response:
            # A stream of events may last; its beginning is enough.
            return response.status, response.read(1 << 22 if "events" not in path else 64)
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def example(schema, document):
    """A body for a schema: its example, else its required members."""
    if "$ref" in schema:
        place = document
        for step in schema["$ref"].lstrip("#/").split("/"):
            place = place[step]
        return example(place, document)
    if "example" in schema:
        return schema["example"]
    for choice in ("oneOf", "anyOf", "allOf"):
        if choice in schema:
            return example(schema[choice][0], document)
    kind = schema.get("type")
    if kind == "object":
        members = schema.get("properties", {})
        return {name: example(members.get(name, {}), document) for name in schema.get("required", [])}
    if kind == "array":
        return []
    if "enum" in schema:
        return schema["enum"][0]
    return {"integer": 1, "number": 1, "boolean": True}.get(kind, "AAPL")


for _ in range(150):
    if ask("GET", "/ready")[0] == 200:
        break
    time.sleep(0.2)
else:
    sys.exit("smoke: the service is not ready")
document = json.loads(ask("GET", "/openapi.json")[1])
asked, failures = 0, []
for path, operations in document["paths"].items():
    for method, operation in operations.items():
        if method not in ("get", "post", "put", "delete", "patch"):
            continue
        place = path
        for name, value in VALUES.items():
            place = place.replace("{" + name + "}", value)
        while "{" in place:
            place = place[: place.index("{")] + "AAPL" + place[place.index("}") + 1 :]
        query = [p for p in operation.get("parameters", []) if p.get("in") == "query" and p.get("required")]
        if query:
            place += "?" + "&".join(f"{p['name']}=apple" for p in query)
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        body = None
        if content:
            body = content.get("example", example(content.get("schema", {}), document))
        try:
            status, answer = ask(method.upper(), place, body)
        except (OSError, ValueError) as error:
            failures.append(f"{method.upper()} {place}: {error}")
            break
        asked += 1
        if status >= 500 and status not in ALLOWED:
            failures.append(f"{method.upper()} {place}: {status} {answer[:200]!r}")
# A job of research runs through worker, model and store.
status, answer = ask("POST", "/api/v1/research/generate", {"ticker": "AAPL", "investor_persona": "graham"})
report = json.loads(answer).get("data", {}).get("poll_url", "")
state = None
for _ in range(300):
    state = json.loads(ask("GET", report)[1]).get("data", {}).get("status")
    if state in ("completed", "failed"):
        break
    time.sleep(0.2)
if state != "completed":
    failures.append(f"the report is {state}")
if asked < 30:
    failures.append(f"the description has only {asked} operations")
for failure in failures:
    print("smoke:", failure, file=sys.stderr)
print(f"smoke: {asked} operations asked, {len(failures)} failures")
sys.exit(1 if failures else 0)
