"""Times NumPy's copies of layouts/layouts.mjs: a name in JSON a line in, nanoseconds out."""

import json
import sys
import time

import numpy as np

SIDE = 4096
IMAGE = (4096, 5461, 3)


def square(dtype="f4", rows=SIDE, columns=SIDE):
    return np.ones((rows, columns), dtype)


def to_channels_first(dtype):
    return np.ones((3, *IMAGE[:2]), dtype), np.ones(IMAGE, "u1").transpose(2, 0, 1)


# Made when they are asked for: one at a time in memory.
copies = {
    "contiguous f4": lambda: (square(), square()),
    "transposed f4, 4096 x 4096": lambda: (square(), square().T),
    "transposed f4, 4032 x 4032": lambda: (square("f4", 4032, 4032), square("f4", 4032, 4032).T),
    "channels last to first, u1": lambda: to_channels_first("u1"),
    "channels last to first, u1 to f4": lambda: to_channels_first("f4"),
    "padded crop f4": lambda: (square(), square("f4", SIDE, 4160)[:, :SIDE]),
    "reversed on both axes f4": lambda: (square(), square()[::-1, ::-1]),
    "one row broadcast f4": lambda: (square(), np.ones((SIDE,), "f4")),
    "f2 to f4": lambda: (square(), square("f2")),
    "f8 to f4": lambda: (square(), square("f8")),
    "big-endian f4 to native": lambda: (square(), square(">f4")),
}

made, sides = None, None
for line in sys.stdin:
    name = json.loads(line)
    if name != made:
        made, sides = name, copies[name]()
    start = time.perf_counter_ns()
    np.copyto(*sides, casting="unsafe")
    print(time.perf_counter_ns() - start, flush=True)
