"""The answers to requests. Both are JSON, in which {"$int": "…"} is a large integer."""

import json


def _revive(value):
    return int(value["$int"]) if value.keys() == {"$int"} else value


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, int) and abs(value) >= 2**53:
        return {"$int": str(value)}
    return value


def answer(operations, line):
    """The answer to one request, which names an operation and its parameters."""
    named = {operation.__name__: operation for operation in operations}
    request = json.loads(line, object_hook=_revive)
    try:
        given = {"value": named[request["call"]](*request["with"])}
    except Exception as error:
        given = {"error": f"{type(error).__name__}: {error}"}
    return json.dumps(_plain(given))
