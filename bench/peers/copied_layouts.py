"""Copies of layouts of the benchmark by NumPy: both sides in JSON a line in; out, as they are, the bytes of the source up to
the last that is read, and twice those of the destination afterwards. Before each stand 8 bytes that say how many they are.
"""

import json
import sys

import numpy as np
from layouts import copied

rng = np.random.default_rng(int(sys.argv[1]))
for line in sys.stdin:
    source, target = copied(rng, *json.loads(line))
    for data in (source, target, target):
        sys.stdout.buffer.write(int(data.size).to_bytes(8, "little"))
        sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    del source, target
