"""Random copies between layouts and types, and what NumPy makes of them: python random_copies.py SEED COUNT [LARGE].
LARGE is the share of those that are large enough for what devices have for large copies alone: at least 2**14 elements.

One JSON line a copy: typestrs, shapes, and for each side its offset, byte strides and all its bytes as base64; then the
bytes of the destination afterwards. NaNs are left out, as their bits differ between machines; so are floats that an
integer cannot hold, for which NumPy promises nothing.
"""

import base64
import json
import random
import sys

import numpy as np

NUMBERS = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
OTHERS = ["V3", "V12", "V20", "S5", "U2", "M8[ns]", "m8[s]"]


def typed(rng, name):
    return np.dtype(rng.choice("<>") + name)


def pair(rng):
    """The types of both sides. Often they differ only in byte order, as in most copies."""
    kind = rng.random()
    name = rng.choice(NUMBERS if kind < 0.8 else OTHERS)
    other = rng.choice(NUMBERS) if kind < 0.6 else name
    return typed(rng, name), typed(rng, other)


def lengths(rng, large):
    if rng.random() < large:
        if rng.random() < 0.5:
            return [rng.randint(128, 200), rng.randint(128, 200)]
        shape = [rng.randint(3, 5), rng.randint(74, 100), rng.randint(74, 100)]
        rng.shuffle(shape)
        return shape
    rank = rng.choice((0, 1, 2, 2, 3, 3, 4, 5))
    longest = {0: 1, 1: 300, 2: 90, 3: 20}.get(rank, 5)
    return [rng.choice((1, 2, 3, 4, rng.randint(1, longest))) for _ in range(rank)]


def strides(rng, shape, unit):
    """Axes in any order, forwards or backwards, with or without gaps, which need not be whole elements."""
    order = list(range(len(shape)))
    if rng.random() < 0.7:
        rng.shuffle(order)
    else:
        order.reverse()
    gap = rng.choice((0, 0, 0, unit, 1))
    result = [0] * len(shape)
    reach = unit
    for axis in order:
        step = reach + gap * rng.randint(0, 2)
        result[axis] = step if rng.random() < 0.8 else -step
        reach = step * shape[axis]
    return result


def block(rng, shape, dtype):
    """An array over bytes of its own, with some around it."""
    steps = strides(rng, shape, dtype.itemsize)
    ends = [(length - 1) * step for length, step in zip(shape, steps)]
    low = sum(min(end, 0) for end in ends)
    high = sum(max(end, 0) for end in ends) + dtype.itemsize
    offset = rng.randint(0, 19) - low
    data = np.frombuffer(rng.randbytes(high + offset + rng.randint(0, 9)), "u1").copy()
    return data, offset, np.ndarray(shape, dtype, data, offset, steps)


def values(rng, shape, source, target):
    """Any bits, except those whose result is not defined."""
    count = int(np.prod(shape, dtype="i8"))
    if source.kind in "fc" and target.kind in "iu":
        limit = 120 if target.itemsize == 1 else 2**13
        numbers = [rng.uniform(0 if target.kind == "u" else -limit, limit) for _ in range(count)]
        return np.array(numbers).reshape(shape).astype(source)
    bits = np.frombuffer(rng.randbytes(count * source.itemsize), "u1").copy()
    if source.kind == "b":
        bits &= 1
    if source.kind == "U":
        bits = np.frombuffer(rng.randbytes(count * source.itemsize), "u4") % 0xD800
    numbers = bits.view(source).reshape(shape).copy()
    if source.kind in "fc":
        numbers[np.isnan(numbers)] = 1
    return numbers


def copy(rng, large):
    source, target = pair(rng)
    shape = lengths(rng, large)
    given = shape[rng.choice((0, 0, 0, rng.randint(0, len(shape)))) :]
    given = [1 if rng.random() < 0.1 else length for length in given]
    from_data, from_offset, origin = block(rng, given, source)
    to_data, to_offset, destination = block(rng, shape, target)
    origin[...] = values(rng, given, source, target)
    repeated = [axis for axis in range(len(given)) if rng.random() < 0.05]
    steps = [0 if axis in repeated else step for axis, step in enumerate(origin.strides)]
    origin = np.lib.stride_tricks.as_strided(origin, given, steps)
    sides = {"from": side(origin, from_offset, from_data), "to": side(destination, to_offset, to_data)}
    np.copyto(destination, origin, casting="unsafe")
    return {**sides, "after": text(to_data)}


def side(array, offset, data):
    layout = {"typestr": array.dtype.str, "shape": array.shape, "strides": array.strides}
    return {**layout, "offset": offset, "data": text(data)}


def text(data):
    return base64.b64encode(data.tobytes()).decode()


def main():
    rng = random.Random(int(sys.argv[1]))
    large = float(sys.argv[3]) if len(sys.argv) > 3 else 0
    np.seterr(all="ignore")
    for _ in range(int(sys.argv[2])):
        print(json.dumps(copy(rng, large), separators=(",", ":")))


main()
