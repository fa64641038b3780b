"""Calls of NumPy's functions that make, join and index arrays, and what they return: python array_functions.py SEED COUNT.

One JSON line a call: its arrays, each of any layout over bytes of its own (base64), its arguments, and the typestr, shape
and elements of the result; for `put` the bytes of its first array afterwards. The functions take turns, so that few calls meet
each of them.
"""

import base64
import json
import sys

import numpy as np

NUMBERS = "|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8 <c8 <c16 >i2 >i8 >f4 >c16".split()
OTHERS = ["<U2", "|S3", "<M8[s]", [("x", "<f4"), ("n", "<i2")], [("a", "|u1"), ("p", "<f8", (2,))]]
FUNCTIONS = "take put where concat stack tile repeat roll arange linspace eye".split()
RANGES = "|i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8 <c8 <c16 >f4 >i4".split()


def encoded(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def typed(dtype):
    """The typestr, or the fields of a record, as core's dtype() takes them."""
    return dtype.str if dtype.names is None else [list(field) for field in dtype.descr]


class Cases:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def one_of(self, values):
        return values[int(self.random.integers(len(values)))]

    def count(self, low, high):
        return int(self.random.integers(low, high + 1))

    def dtype(self, with_others=True):
        return np.dtype(self.one_of(NUMBERS + OTHERS if with_others else NUMBERS))

    def shape(self, least=0, most=4):
        return tuple(self.count(0, 4) if self.count(0, 9) else 0 for _ in range(self.count(least, most)))

    def values(self, shape, dtype):
        """Small numbers, which each dtype can hold, negative ones included where it can."""
        numbers = self.random.integers(0, 100, shape)
        if dtype.kind in "ifc" and self.count(0, 1):
            numbers = -numbers
        if dtype.kind in "USM":
            return numbers.astype("<i8").astype(dtype) if dtype.kind == "M" else numbers.astype("S2").astype(dtype)
        if dtype.names:
            raw = self.random.integers(0, 256, (*shape, dtype.itemsize)).astype("u1")
            return np.ascontiguousarray(raw).view(dtype).reshape(shape)
        return numbers.astype(dtype)

    def array(self, shape=None, dtype=None, writable=False):
        """An array over bytes of its own, with strides of all kinds. Returns it and how it is laid out."""
        shape = self.shape() if shape is None else tuple(shape)
        dtype = self.dtype() if dtype is None else np.dtype(dtype)
        order = list(self.random.permutation(len(shape)))
        strides = [0] * len(shape)
        span = dtype.itemsize
        start = 0
        for axis in order:
            step = span + self.one_of([0, 0, 0, dtype.itemsize, 3])
            if not writable and self.count(0, 7) == 0:
                strides[axis] = 0
                continue
            if self.count(0, 2) == 0:
                strides[axis] = -step
                start += max(0, shape[axis] - 1) * step
            else:
                strides[axis] = step
            span = step * max(1, shape[axis])
        offset = start + self.count(0, 5)
        data = bytearray(self.random.integers(0, 256, offset + span + 8).astype("u1").tobytes())
        made = np.ndarray(shape, dtype, data, offset, strides)
        values = self.values(shape, dtype)
        for axis, stride in enumerate(strides):
            if stride == 0 and shape[axis] > 1:
                values = np.broadcast_to(values.take([0], axis), shape)
        made[...] = values
        side = {
            "typestr": typed(dtype),
            "shape": shape,
            "strides": strides,
            "offset": offset,
            "data": data,
        }
        return made, side

    def axis_of(self, array):
        return self.count(-array.ndim, array.ndim - 1)

    def indices(self, length, shape):
        low, high = (0, 0) if length == 0 else (-length, length)
        return self.random.integers(low, high, shape).astype(self.one_of(["i4", "i8"]))

    # Each returns the arrays, the arguments, and NumPy's result.

    def take(self):
        array, side = self.array(self.shape(1))
        axis = self.axis_of(array)
        length = array.shape[axis]
        at = self.indices(length, self.shape(0, 2) if length else (0,))
        given, index = self.array(at.shape, at.dtype)
        given[...] = at
        # A scalar of text has a shorter dtype.
        return [side, index], {"axis": axis}, np.asarray(np.take(array, given, axis), array.dtype)

    def put(self):
        array, side = self.array(self.shape(1), writable=True)
        axis = self.axis_of(array) % array.ndim
        length = array.shape[axis]
        at = self.indices(length, self.shape(0, 2) if length else (0,))
        given, index = self.array(at.shape, at.dtype, writable=True)
        given[...] = at
        whole = array.shape[:axis] + at.shape + array.shape[axis + 1 :]
        some = tuple(1 if self.count(0, 4) == 0 else n for n in whole)[self.count(0, min(1, len(whole))) :]
        own = array.dtype if array.dtype.kind not in "if" or self.count(0, 1) else self.one_of(["|b1", "|u1", "<i8", ">f4", "<f8"])
        values, value = self.array(some, own)
        before = bytes(side["data"])
        # NumPy assigns in the order in which the indices lie in memory; C order is promised here.
        before_axis = (slice(None),) * axis
        every = np.broadcast_to(values, whole)
        for place in np.ndindex(at.shape):
            array[(*before_axis, given[place])] = every[before_axis + place]
        after = bytes(side["data"])
        side["data"] = bytearray(before)
        return [side, index, value], {"axis": axis}, np.frombuffer(after, "u1")

    def where(self):
        shape = self.shape()
        sides = []
        for dtype in ["|b1", self.dtype(False), self.dtype(False)]:
            some = tuple(1 if self.count(0, 3) == 0 else n for n in shape)[self.count(0, min(1, len(shape))) :]
            sides.append(self.array(some, dtype))
        return [side for _, side in sides], {}, np.where(*[array for array, _ in sides])

    def concat(self):
        shape = self.shape(1)
        axis = self.count(0, len(shape) - 1)
        same = None if self.count(0, 1) else self.dtype()
        sides = [
            self.array((*shape[:axis], self.count(0, 3), *shape[axis + 1 :]), same or self.dtype(False))
            for _ in range(self.count(1, 3))
        ]
        along = self.one_of([axis, axis - len(shape), None])
        return [side for _, side in sides], {"axis": along}, np.concat([array for array, _ in sides], along)

    def stack(self):
        shape = self.shape()
        axis = self.count(-len(shape) - 1, len(shape))
        sides = [self.array(shape, self.dtype(False)) for _ in range(self.count(1, 3))]
        return [side for _, side in sides], {"axis": axis}, np.stack([array for array, _ in sides], axis)

    def tile(self):
        array, side = self.array()
        counts = [self.count(0, 3) for _ in range(self.count(0, 5))]
        return [side], {"repetitions": counts}, np.tile(array, counts)

    def repeat(self):
        array, side = self.array(self.shape(1))
        axis = self.one_of([None, self.axis_of(array)])
        length = array.size if axis is None else array.shape[axis]
        counts = self.one_of([self.count(0, 3), [self.count(0, 3) for _ in range(length)]])
        options = {} if axis is None else {"axis": axis}
        return [side], {"repeats": counts, **options}, np.repeat(array, counts, axis)

    def roll(self):
        array, side = self.array(self.shape(1))
        axis = self.one_of([None, self.axis_of(array), [self.axis_of(array) for _ in range(2)]])
        shift = [self.count(-9, 9) for _ in axis] if isinstance(axis, list) else self.count(-9, 9)
        options = {} if axis is None else {"axis": axis}
        rolled = np.roll(array, shift, tuple(axis) if isinstance(axis, list) else axis)
        return [side], {"shift": shift, **options}, rolled

    def arange(self):
        dtype = np.dtype(self.one_of(RANGES))
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            start = self.count(0, 60) if dtype.itemsize < 8 else int(self.random.integers(2**62, dtype=dtype))
            step = self.one_of([1, 2, 3, 7])
            stop = min(start + self.count(0, 40), int(limits.max))
            if self.count(0, 2) == 0 and dtype.kind == "i":
                start, stop, step = -start, -stop, -step
        else:
            scale = self.one_of([1e-3, 1, 1e3, 1e5 if dtype.itemsize > 2 else 1, 2.0**53 if dtype == "<f8" else 1])
            start = float(self.random.uniform(-1, 1)) * scale
            step = self.one_of([0.1, 1 / 3, 1, -0.7, 1e-3]) * scale
            stop = start + step * self.one_of([self.count(0, 50), float(self.random.uniform(0, 50))])
        return [], {"start": start, "stop": stop, "step": step, "dtype": dtype.str}, np.arange(start, stop, step, dtype=dtype)

    def linspace(self):
        dtype = np.dtype(self.one_of(RANGES))
        low = 0 if dtype.kind == "u" else -100
        start, stop = (float(self.random.uniform(low, 100)) for _ in range(2))
        if dtype.kind == "f" and self.count(0, 3) == 0:
            start, stop = start * 1e-318, stop * 1e-318
        count, endpoint = self.count(0, 60), bool(self.count(0, 1))
        made = np.linspace(start, stop, count, endpoint, dtype=dtype)
        return [], {"start": start, "stop": stop, "count": count, "endpoint": endpoint, "dtype": dtype.str}, made

    def eye(self):
        dtype, rows, columns, k = self.dtype(False), self.count(0, 5), self.count(0, 5), self.count(-6, 6)
        made = np.eye(rows, columns, k, dtype=dtype)
        return [], {"rows": rows, "columns": columns, "k": k, "dtype": dtype.str}, made

    def call(self, name):
        sides, given, result = getattr(self, name)()
        for side in sides:
            side["data"] = base64.b64encode(side["data"]).decode()
        big = {key: {"$int": str(value)} if isinstance(value, int) and abs(value) >= 2**53 else value for key, value in given.items()}
        return {
            "name": name,
            "arrays": sides,
            "with": big,
            "typestr": typed(result.dtype),
            "shape": result.shape,
            "data": encoded(result),
        }


def main():
    seed, count = map(int, sys.argv[1:])
    cases = Cases(seed)
    np.seterr(all="ignore")
    for index in range(count):
        print(json.dumps(cases.call(FUNCTIONS[index % len(FUNCTIONS)])))


main()
