"""Answers how long work takes: for programs whose lines are requests in JSON, and whose answers are nanoseconds."""

import json
import sys
import time
from functools import lru_cache


def answer(prepare, finish=lambda: None):
    """Times what `prepare` returns for a request, called once or {"calls": COUNT} times, and `finish`; answers for one call."""

    @lru_cache(2)  # two peers take turns
    def prepared(line):
        request = json.loads(line)
        return prepare(request), request.get("calls", 1)

    for line in sys.stdin:
        act, calls = prepared(line)
        start = time.perf_counter_ns()
        for _ in range(calls):
            made = act()
        finish()
        nanoseconds = time.perf_counter_ns() - start
        del made  # giving new memory back is not timed
        print(nanoseconds / calls, flush=True)
