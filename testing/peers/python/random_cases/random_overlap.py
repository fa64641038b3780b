"""What NumPy says of the memory of random pairs of arrays: random_overlap.py SEED COUNT."""

import json
import random
import sys

import numpy as np
from numpy._core._multiarray_tests import internal_overlap

# Where the arrays lie is free: NumPy compares addresses and reads none of them.
FIRST = 1 << 20


class Exposes:
    def __init__(self, interface):
        self.__array_interface__ = interface


def layout(rng):
    spread = rng.choice([3, 12, 60, 400])
    unit = rng.choice([1, 1, 2, 4])
    rank = rng.choice([0, 1, 2, 2, 3, 3, 4, 5, 6])
    longest = rng.choice([4, 9, 30])
    shape = [rng.randint(1, longest) if rng.random() < 0.95 else 0 for _ in range(rank)]
    strides = [rng.randint(-spread, spread) * unit for _ in range(rank)]
    typestr = rng.choice(["|u1", "|u1", "<i2", "|S3", "<f4", "<f8", "<c16"])
    return [FIRST + rng.randint(-6 * spread, 6 * spread), shape, strides, typestr]


def array(pointer, shape, strides, typestr):
    data = (pointer, False)
    interface = {"version": 3, "shape": tuple(shape), "typestr": typestr, "strides": tuple(strides), "data": data}
    return np.asarray(Exposes(interface))


def case(rng):
    one, other = layout(rng), layout(rng)
    a, b = array(*one), array(*other)
    exact = -1
    says = [np.may_share_memory(a, b), np.shares_memory(a, b, max_work=exact), internal_overlap(a, max_work=exact)]
    return [one, other, says]


def main(seed, count):
    rng = random.Random(seed)
    cases = (json.dumps(case(rng), separators=(",", ":")) for _ in range(count))
    print(f'{{"numpy":"{np.__version__}","seed":{seed},"cases":[', ",\n".join(cases), "]}", sep="\n")


main(*map(int, sys.argv[1:]))
