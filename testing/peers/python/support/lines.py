"""Answers requests, each a line of JSON, with a line of JSON."""

import os
import sys

from support.messages import answer

# What libraries print goes to standard error, so that only answers are on standard output.
_answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def serve(*operations):
    """Calls the operation that each request names, until there are no more requests."""
    for line in sys.stdin:
        _answers.write(answer(operations, line) + "\n")
        _answers.flush()
