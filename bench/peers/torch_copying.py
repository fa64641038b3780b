"""Times PyTorch's copies of layouts/random.mjs with one thread. Bytes of a block: argv.

{"copy": [TO, FROM], "calls": COUNT} writes to memory that is there, {"contiguous": …} makes new memory. Before either is timed, it
is done with other numbers and compared with what NumPy makes of them."""

import sys
from functools import partial

import numpy as np
import torch
from layouts import GAP, copied, view
from timed_work import answer

torch.set_num_threads(1)
rng = np.random.default_rng(1)
blocks = [np.full(int(sys.argv[1]), value, "u1") for value in (1, 2)]


def copy(way, sides, blocks):
    """A copy that gives its result, with axes as they lie in the destination: so it has no gaps, nor has new memory."""
    to, source = (torch.from_numpy(view(block, side)) for block, side in zip(blocks, sides))
    order = sorted(range(to.dim()), key=to.stride, reverse=True)
    to, source = to.permute(order), source.permute(order)
    return {"copy": partial(to.copy_, source), "contiguous": source.contiguous}[way]


def check(way, sides):
    source, expected = copied(rng, *sides)
    if all(side["type"] == "|b1" for side in sides):
        source, expected = source & 1, expected & 1  # PyTorch makes 1 of whatever is not 0
    made = copy(way, sides, (np.full_like(expected, GAP), source))()
    if not np.array_equal(made.numpy().reshape(-1).view("u1"), expected):
        raise SystemExit(f"PyTorch's {way} of {sides} differs from NumPy's")


def prepare(request):
    way = "copy" if "copy" in request else "contiguous"
    sides = request[way]
    check(way, sides)
    return copy(way, sides, blocks)


answer(prepare)
