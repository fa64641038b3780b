"""Times NumPy's copies of benchmarks/copying.mjs: a name in JSON a line in, nanoseconds out."""

import json
import sys
import time

import numpy as np

SIDE = 4096
PIXELS = 4096 * 5461

square = np.ones((SIDE, SIDE), "f4")
smaller = np.ones((4032, 4032), "f4")
bytes_of_pixels = np.ones((PIXELS, 3), "u1")
padded = np.ones((SIDE, 4160), "f4")

copies = {
    "contiguous f4": (square, np.ones_like(square)),
    "transposed f4, 4096 x 4096": (square, np.ones_like(square).T),
    "transposed f4, 4032 x 4032": (smaller, np.ones_like(smaller).T),
    "channels last to first, u1": (np.ones((3, PIXELS), "u1"), bytes_of_pixels.T),
    "channels last to first, u1 to f4": (np.ones((3, PIXELS), "f4"), bytes_of_pixels.T),
    "padded crop f4": (square, padded[:, :SIDE]),
    "reversed on both axes f4": (square, np.ones_like(square)[::-1, ::-1]),
    "one row broadcast f4": (square, np.ones((SIDE,), "f4")),
    "f2 to f4": (square, np.ones((SIDE, SIDE), "f2")),
    "f8 to f4": (square, np.ones((SIDE, SIDE), "f8")),
    "big-endian f4 to native": (square, np.ones((SIDE, SIDE), ">f4")),
}

for line in sys.stdin:
    destination, source = copies[json.loads(line)]
    start = time.perf_counter_ns()
    np.copyto(destination, source, casting="unsafe")
    print(time.perf_counter_ns() - start, flush=True)
