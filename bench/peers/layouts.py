"""Sides of copies, as layouts/layouts.mjs has them, in memory of NumPy, and numbers for them.

Bytes are random where they stay as they are but for their order. What is converted are multiples of 1/8 from 0 to 100, or
whole numbers: every type holds them, or what NumPy says they become is the same on every machine.
"""

import numpy as np

GAP = 0xA5  # what the destination has between its elements
PERIOD = 1_048_583  # a prime: no stride finds the same numbers again


def end_of(side):
    """Bytes from the first of the block to behind the last that is an element's."""
    reach = ((length - 1) * stride for length, stride in zip(side["shape"], side["byteStrides"]))
    return side["offset"] + sum(step for step in reach if step > 0) + np.dtype(side["type"]).itemsize


def view(data, side):
    return np.ndarray(side["shape"], side["type"], data, side["offset"], side["byteStrides"])


def numbers(rng, source, target):
    if source.newbyteorder("=") == target.newbyteorder("="):
        return np.frombuffer(rng.bytes(PERIOD * source.itemsize), source)
    if source.kind == "b":
        return rng.integers(0, 2, PERIOD).astype(source)
    eighths = rng.integers(0, 801, PERIOD)
    return (eighths / 8 if source.kind in "fc" else eighths // 8).astype(source)


def repeated(values, size):
    """As many bytes, which begin with these values and repeat them."""
    data = np.empty(size, "u1")
    period = values.view("u1")[:size]
    data[: period.size] = period
    for start in range(period.size, size, period.size):
        part = data[start : start + period.size]
        part[:] = period[: part.size]
    return data


def copied(rng, to, origin):
    """The blocks of a copy that NumPy has done: the source, and the destination afterwards."""
    source = repeated(numbers(rng, np.dtype(origin["type"]), np.dtype(to["type"])), end_of(origin))
    target = np.full(end_of(to), GAP, "u1")
    with np.errstate(all="ignore"):
        np.copyto(view(target, to), view(source, origin), casting="unsafe")
    return source, target
