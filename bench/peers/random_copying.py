"""Times NumPy's copies of layouts/random.mjs: both sides in JSON a line in, nanoseconds out. Bytes of a block: argv."""

import json
import sys
import time

import numpy as np
from layouts import view

blocks = [np.full(int(sys.argv[1]), value, "u1") for value in (1, 2)]
for line in sys.stdin:
    sides = [view(block, side) for block, side in zip(blocks, json.loads(line))]
    start = time.perf_counter_ns()
    np.copyto(*sides, casting="unsafe")
    print(time.perf_counter_ns() - start, flush=True)
