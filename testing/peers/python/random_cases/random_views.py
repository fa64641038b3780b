"""Random chains of views and what NumPy makes of them, as JSON: python random_views.py SEED CHAINS.

A chain is NumPy's interface of an array and views of it, each of the one before: its name in core, what it
takes besides the array, and either its layout or the code of its refusal, after which the chain goes on from
where it was. A layout is [shape, strides, bytes from the first array's pointer, typestr, read-only].
"""

import json
import random
import sys
import warnings

import numpy as np

PLAIN = ("|b1", "|u1", "<i2", ">i2", "<f2", "<f4", ">f4", "<i8", "<c8", "<c16", "|S3", "<U2", "<M8[ns]", "<m8[D]")
FIRST = 1 << 20  # where every first array lies


class Refusal(Exception):
    """A view that NumPy refuses, and core's code for that."""


def lengths(rng, rank, most=6):
    return [0 if rng.random() < 0.04 else rng.choice((1, 1, 2, 2, 3, 3, 4, 5, most)) for _ in range(rank)]


def random_dtype(rng, depth=2):
    if depth == 0 or rng.random() < 0.65:
        return np.dtype(rng.choice(PLAIN))
    fields = []
    for name in ("a", "b", "c")[: rng.randint(1, 3)]:
        label = (f"title {name}", name) if rng.random() < 0.2 else name
        inner = random_dtype(rng, depth - 1)
        shape = tuple(rng.randint(0 if rng.random() < 0.1 else 1, 3) for _ in range(rng.randint(1, 2)))
        fields.append((label, inner, shape) if rng.random() < 0.3 else (label, inner))
    return np.dtype(fields, align=rng.random() < 0.5)


def first_array(rng):
    """Dense in either order, or with strides that slices alone cannot make."""
    dtype = random_dtype(rng)
    shape = lengths(rng, rng.randint(0, 4))
    kind = rng.random()
    if kind < 0.75:
        return np.zeros(shape, dtype, "C" if kind < 0.6 else "F")
    unit = dtype.itemsize if rng.random() < 0.7 else 1
    strides = [rng.randint(-12, 12) * unit for _ in shape]
    ends = [(length - 1) * stride if length else 0 for length, stride in zip(shape, strides)]
    low = sum(min(end, 0) for end in ends)
    high = sum(max(end, 0) for end in ends) + dtype.itemsize
    return np.ndarray(shape, dtype, np.zeros(high - low + 1, "u1"), -low, strides)


def typed(dtype):
    """A dtype as the argument of `view`: a typestr, and the fields of a record."""
    return dtype.str if dtype.names is None else {"typestr": dtype.str, "descr": dtype.descr}


def random_range(rng, length):
    kind = rng.random()
    if kind < 0.2:
        return None
    if kind < 0.35 and length:
        return rng.randint(-length - (rng.random() < 0.05), length - 1)
    part = lambda: None if rng.random() < 0.5 else rng.randint(-length - 2, length + 2)
    step = rng.choice((None, 1, 1, 2, 3, -1, -1, -2, -3, 5, 0 if rng.random() < 0.1 else -5))
    ends = [part(), part()]
    if rng.random() < 0.7 and None not in ends:  # from one end towards the other, so that something is left
        ends.sort(key=lambda end: end + length if end < 0 else end, reverse=(step or 1) < 0)
    return [*ends, step] if step is not None or rng.random() < 0.5 else ends


def random_axes(rng, rank, count=None):
    """Different axes of `rank`, some counted from the end. Sometimes one is out of range, or occurs twice."""
    axes = rng.sample(range(rank), rng.randint(0, rank) if count is None else count)
    axes = [axis - rank if rng.random() < 0.3 else axis for axis in axes]
    if axes and rng.random() < 0.06:
        axes[rng.randrange(len(axes))] = rng.choice((axes[0], rank, -rank - 1))
    return axes


def one_or_all(rng, axes):
    kind = rng.random()
    return [] if kind < 0.25 else [axes[0]] if kind < 0.6 and axes else [axes]


def random_shape(rng, array):
    """Another shape, mostly of as many elements."""
    size = array.size
    if rng.random() < 0.06:
        return lengths(rng, rng.randint(0, 3))
    if size == 0:
        shape = lengths(rng, rng.randint(0, 3)) + [0]
    elif rng.random() < 0.5:  # axes beside one another, some of them merged
        shape = []
        for length in array.shape:
            if shape and rng.random() < 0.45:
                shape[-1] *= length
            else:
                shape.append(length)
    else:
        shape, left = [], size
        while left > 1:
            shape.append(rng.choice([part for part in range(2, left + 1) if left % part == 0]))
            left //= shape[-1]
        rng.shuffle(shape)
    for _ in range(rng.randint(0, 2)):
        shape.insert(rng.randint(0, len(shape)), 1)
    if shape and rng.random() < 0.25:
        shape[rng.randrange(len(shape))] = -1
        if rng.random() < 0.1:
            shape[rng.randrange(len(shape))] = -1
    return shape


def random_target(rng, array):
    """A shape, mostly one that the array broadcasts to."""
    grow = lambda: rng.choice((0, 1, 2, 3)) if array.size < 500 else 1
    shape = [grow() if length == 1 and rng.random() < 0.6 else length for length in array.shape]
    if rng.random() < 0.1 and shape:
        shape[rng.randrange(len(shape))] = rng.randint(0, 4)
    if rng.random() < 0.05:
        return shape[1:]
    return [grow() for _ in range(rng.randint(0, 2 if array.ndim < 6 else 0))] + shape


def random_names(rng, dtype):
    names = []
    while dtype.names and (not names or rng.random() < 0.4):
        names.append(rng.choice(list(dtype.fields)))
        dtype = dtype.fields[names[-1]][0].base
    if not names or rng.random() < 0.04:
        names.append(rng.choice(("", "nowhere", "shape")))
    return names


def random_view_dtype(rng, array):
    kind = rng.random()
    itemsize = array.itemsize
    if kind < 0.3:
        return random_dtype(rng)
    if kind < 0.4:
        return np.dtype(f"V{rng.randint(1, 12)}")
    if kind < 0.5:
        return np.dtype([("x", "u1"), ("y", "V", itemsize - 1)] if itemsize > 1 else [("x", "i1")])
    if kind < 0.75:  # parts of an element
        return np.dtype(f"V{rng.choice([part for part in range(1, itemsize + 1) if itemsize % part == 0])}" if itemsize else "u1")
    length = array.shape[-1] if array.ndim else 1
    return np.dtype(f"V{max(1, itemsize * rng.choice([part for part in range(1, length + 1) if length % part == 0] or [2]))}")


def choose(rng, array):
    """A view that mostly fits the array: its name and its arguments."""
    rank = array.ndim
    weights = {"slice": 5, "permuteDims": 1, "transpose": 2, "flip": 2, "reshape": 6, "broadcastTo": 2}
    weights |= {"broadcastArrays": 1, "expandDims": 2, "squeeze": 2, "view": 3}
    weights["field"] = 8 if array.dtype.names else 0.2
    name = rng.choices(list(weights), list(weights.values()))[0]
    if name == "slice":
        count = rng.randint(0, rank) if rng.random() < 0.3 else rank + (rng.random() < 0.02)
        ranges = [random_range(rng, (*array.shape, 1)[axis]) for axis in range(count)]
        return name, [ranges]
    if name == "permuteDims":
        return name, [random_axes(rng, rank, rank - (rank > 0 and rng.random() < 0.04))]
    if name == "flip":
        return name, one_or_all(rng, random_axes(rng, rank))
    if name == "squeeze":
        ones = [axis for axis in range(rank) if array.shape[axis] == 1]
        axes = random_axes(rng, rank) if rng.random() < 0.1 and rank else rng.sample(ones, rng.randint(0, len(ones)))
        return name, axes if len(axes) == 1 and rng.random() < 0.5 else [axes]
    if name == "expandDims":
        count = rng.randint(0, 2) if rank < 8 else 0
        axes = random_axes(rng, rank + count, count)
        return name, axes if count == 1 and rng.random() < 0.5 else [axes]
    if name == "reshape":
        return name, [random_shape(rng, array)] + ([{"order": "F"}] if rng.random() < 0.2 else [])
    if name == "broadcastTo":
        return name, [random_target(rng, array)]
    if name == "broadcastArrays":
        others = [random_target(rng, array) for _ in range(rng.randint(0, 2))]
        return name, [[1 if rng.random() < 0.2 else length for length in shape] for shape in others]
    if name == "field":
        return name, random_names(rng, array.dtype)
    return name, [typed(random_view_dtype(rng, array))] if name == "view" else []


def take_slice(array, ranges):
    index = [part if isinstance(part, int) else slice(*(part or [None])) for part in ranges]
    return array[(*index, ...)]


def take_flip(array, axes=None):
    return np.flip(array, tuple(axes) if isinstance(axes, list) else axes) if array.ndim else array[...]


def take_reshape(array, shape, options={}):
    """A view. Two other ways to ask NumPy for one must agree on whether there is one."""
    moved = array.reshape(shape, **options)
    try:
        found = array.reshape(shape, copy=False, **options)
    except ValueError:
        assert moved.size and not np.may_share_memory(moved, array)
        raise Refusal("ERR_NOT_A_VIEW") from None
    assert not array.nbytes or (np.may_share_memory(moved, array) and moved.ctypes.data == found.ctypes.data)
    if not options:
        same = array.view()
        same.shape = shape
        assert same.strides == found.strides
    return found


def take_broadcast_arrays(array, *shapes):
    """Read-only if it changed, as NumPy announces for the future."""
    others = [np.broadcast_to(np.int8(0), shape) for shape in shapes]
    found = np.broadcast_arrays(array, *others)[0]
    if found.shape != array.shape:
        found.flags.writeable = False
        return found
    return array


def take_field(array, *names):
    for name in names:
        array = array[name]
    return array


def take_view(array, dtype):
    dtype = np.dtype(dtype if isinstance(dtype, str) else _fields(dtype["descr"]))
    try:
        return array.view(dtype)
    except (TypeError, ValueError):
        raise Refusal("ERR_NOT_A_VIEW") from None


def _fields(descr):
    def field(name, kind, *shape):
        return (name, _fields(kind) if isinstance(kind, list) else kind, *shape)

    # what NumPy itself makes of padding without a name would be a field
    kinds = [field(*entry) for entry in descr]
    offsets = np.cumsum([0] + [np.dtype([("x", *kind[1:])]).itemsize for kind in kinds])
    kept = [index for index, kind in enumerate(kinds) if kind[0] != ""]
    names = [kinds[index][0] for index in kept]
    return np.dtype(
        {
            "names": [name if isinstance(name, str) else name[1] for name in names],
            "titles": [None if isinstance(name, str) else name[0] for name in names],
            "formats": [kinds[index][1] if len(kinds[index]) == 2 else (kinds[index][1], kinds[index][2]) for index in kept],
            "offsets": [int(offsets[index]) for index in kept],
            "itemsize": int(offsets[-1]),
        }
    )


VIEWS = {
    "slice": take_slice,
    "permuteDims": np.ndarray.transpose,
    "transpose": np.ndarray.transpose,
    "flip": take_flip,
    "reshape": take_reshape,
    "broadcastTo": np.broadcast_to,
    "broadcastArrays": take_broadcast_arrays,
    "expandDims": lambda array, axes: np.expand_dims(array, tuple(axes) if isinstance(axes, list) else axes),
    "squeeze": lambda array, axes: array.squeeze(tuple(axes) if isinstance(axes, list) else axes),
    "field": take_field,
    "view": take_view,
}


def take(array, name, arguments):
    try:
        return VIEWS[name](array, *arguments)
    except (IndexError, KeyError, ValueError):  # NumPy's AxisError is both
        raise Refusal(code(name, arguments)) from None


def code(name, arguments):
    """Core's code for what NumPy refuses."""
    if name not in ("reshape", "broadcastTo", "broadcastArrays"):
        return "ERR_ARGUMENT"
    lengths = [length for shape in arguments if isinstance(shape, list) for length in shape]
    if min(lengths, default=0) < (-1 if name == "reshape" else 0):
        return "ERR_NEGATIVE_DIMENSION"
    return "ERR_ARGUMENT" if lengths.count(-1) > 1 else "ERR_SHAPE_MISMATCH"


def pointer(array):
    return array.__array_interface__["data"][0]


def chain(rng):
    array = first = first_array(rng)
    views = []
    for _ in range(rng.randint(1, 6)):
        name, arguments = choose(rng, array)
        try:
            found = take(array, name, arguments)
        except Refusal as refusal:
            views.append([name, arguments, str(refusal)])
            continue
        if found.size > 5000 or found.ndim > 12:
            continue
        array = found
        place = pointer(array) - pointer(first)
        read_only = not array.flags.writeable
        views.append([name, arguments, [array.shape, array.strides, place, array.dtype.str, read_only]])
    return {"first": interface(first), "views": views}


def interface(array):
    own = {"version": 3, "shape": array.shape, "typestr": array.dtype.str, "strides": array.strides}
    if array.dtype.names:
        own["descr"] = array.dtype.descr
    return {**own, "data": [FIRST, False]}


def main(seed, count):
    warnings.simplefilter("ignore")
    rng = random.Random(seed)
    chains = (json.dumps(chain(rng), separators=(",", ":")) for _ in range(count))
    print(f'{{"numpy":"{np.__version__}","seed":{seed},"chains":[', ",\n".join(chains), "]}", sep="\n")


main(*map(int, sys.argv[1:]))
