"""Answers requests: one JSON object a line in, one a line out. {"$int": "…"} is a large integer."""

import json
import os
import sys

# What libraries print goes to standard error, so that only answers are on standard output.
_answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


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


def serve(*operations):
    """Calls the operation that each request names, until there are no more requests."""
    named = {operation.__name__: operation for operation in operations}
    for line in sys.stdin:
        request = json.loads(line, object_hook=_revive)
        try:
            answer = {"value": named[request["call"]](*request["with"])}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        _answers.write(json.dumps(_plain(answer)) + "\n")
        _answers.flush()
