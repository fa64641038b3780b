"""Random arrays as NumPy exports them through DLPack, and what it reads of structs that others write."""

import random

import numpy as np
from support.dlpack_structs import STRUCTS, Given, pieces
from support.lines import serve

TYPESTRS = ["|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16"]
OTHERS = [">i4", ">f8", "<f16", "<c32", "|S3", "<U2", "<M8[ns]", "<m8", "|V2"]

arrays = []
given = []


def some_array(rng):
    typestr = rng.choice(TYPESTRS * 2 + OTHERS)
    array = np.zeros([rng.choice([0, 1, 2, 3, 4, 5]) for _ in range(rng.randint(0, 4))], typestr)
    if array.dtype.kind in "biufc":
        array[...] = np.arange(array.size).reshape(array.shape) % 251
    array = array.transpose(rng.sample(range(array.ndim), array.ndim))
    steps = [slice(None, None, rng.choice([1, 1, 2, -1, -2])) for _ in range(array.ndim)]
    array = array[(*steps, ...)]
    if rng.random() < 0.2:
        array = np.broadcast_to(array, (2, *array.shape))
    if rng.random() < 0.2 and array.dtype.kind in "iuf":
        record = np.zeros(array.shape, [("a", "|u1"), ("b", array.dtype)])
        record["b"] = array
        array = record["b"]
    if rng.random() < 0.3:
        array.flags.writeable = False
    return array


def exported(array, **options):
    """Returns None if NumPy refuses."""
    try:
        return pieces(array.__dlpack__(**options))
    except BufferError:
        return None


def make(seed, count):
    """Arrays in NumPy's interface and as both structs, and memory for structs that others write of them."""
    rng = random.Random(seed)
    arrays.extend(some_array(rng) for _ in range(count))
    return [case(array) for array in arrays]


def case(array):
    own = array.__array_interface__
    data = [str(own["data"][0]), own["data"][1]]
    interface = {"version": 3, "shape": array.shape, "typestr": array.dtype.str, "strides": array.strides}
    rooms = {STRUCTS[name].__name__: Given(name) for name in STRUCTS}
    given.append(rooms)
    return {
        "interface": {**interface, "data": data},
        "exports": [exported(array), exported(array, max_version=(1, 3))],
        "rooms": {name: [str(room.address), str(room.deleter)] for name, room in rooms.items()},
    }


def read(index, struct, digits):
    """What NumPy makes of a struct that describes an array."""
    array, room = arrays[index], given[index][struct]
    room.write(digits)
    found = np.from_dlpack(room)
    outcome = {
        "shape": found.shape,
        "strides": found.strides,
        "typestr": found.dtype.str,
        "pointer": str(found.__array_interface__["data"][0]),
        "readOnly": not found.flags.writeable,
        "sameBytes": found.tobytes() == array.tobytes(),
        "deletedBefore": room.deleted,
    }
    del found
    return {**outcome, "deleted": room.deleted}


serve(make, read)
