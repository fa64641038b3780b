"""Answers how long calls take, and what they allocate: for programs whose lines are {"name": …, "seconds": …}."""

import json
import statistics
import sys
import timeit
import tracemalloc


def answer(calls):
    """Answers each line of the input with median nanoseconds and traced bytes of the call of that name."""
    for line in sys.stdin:
        request = json.loads(line)
        call = calls[request["name"]]
        measured = {"nanoseconds": nanoseconds(call, request["seconds"]), "bytes": traced_bytes(call)}
        print(json.dumps(measured), flush=True)


def nanoseconds(call, seconds):
    timer = timeit.Timer(call)
    number, took = timer.autorange()
    number = max(1, int(number * 0.01 / took))  # about 10 ms a sample
    samples = timer.repeat(repeat=max(5, int(seconds / 0.01)), number=number)
    return statistics.median(samples) / number * 1e9


def traced_bytes(call):
    """What one call allocates through Python's allocators, its result included."""
    kept = [call() for _ in range(10)]
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [call() for _ in range(1000)]
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return round((after - before - sys.getsizeof(kept)) / 1000)
