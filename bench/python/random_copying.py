"""Times NumPy's copies of random-layouts.mjs: both sides in JSON a line in, nanoseconds out."""

import json
import sys
import time

import numpy as np

LARGEST_SIDE = 256 * 2**20  # as in random-layouts.mjs
blocks = [np.full(LARGEST_SIDE, value, "u1") for value in (1, 2)]


def view(block, side):
    return np.ndarray(side["shape"], side["type"], block, side["offset"], side["byteStrides"])


for line in sys.stdin:
    sides = [view(block, side) for block, side in zip(blocks, json.loads(line))]
    start = time.perf_counter_ns()
    np.copyto(*sides, casting="unsafe")
    print(time.perf_counter_ns() - start, flush=True)
