"""Random arrays as NumPy exports them through DLPack: random_dlpack.py SEED COUNT."""

import ctypes
import json
import random
import sys
import warnings

import numpy as np


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [
        ("version", Version),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("dl_tensor", Tensor),
    ]


READ_ONLY, PADDED = 1, 4

pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.c_void_p
pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]

TYPESTRS = ["|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16"]
OTHERS = [">i4", ">f8", "<f16", "<c32", "|S3", "<U2", "<M8[ns]", "<m8", "|V2"]


def parts(structure):
    return {name: getattr(structure, name) for name, *_ in structure._fields_}


def fields(array):
    """The fields under core's names; None where NumPy refuses."""
    try:
        capsule = array.__dlpack__(max_version=(1, 1))
    except BufferError:
        return None
    managed = Managed.from_address(pointer_of(capsule, b"dltensor_versioned"))
    tensor = managed.dl_tensor
    return {
        "version": parts(managed.version),
        "readOnly": bool(managed.flags & READ_ONLY),
        "subBytePadded": bool(managed.flags & PADDED),
        "data": str(tensor.data or 0),
        "byteOffset": str(tensor.byte_offset),
        "device": parts(tensor.device),
        "dtype": parts(tensor.dtype),
        "shape": tensor.shape[: tensor.ndim],
        "elementStrides": tensor.strides[: tensor.ndim] if tensor.strides else None,
    }


def some_array(rng):
    typestr = rng.choice(TYPESTRS * 2 + OTHERS)
    array = np.zeros([rng.choice([0, 1, 2, 3, 4, 5]) for _ in range(rng.randint(0, 4))], typestr)
    array = array.transpose(rng.sample(range(array.ndim), array.ndim))
    steps = [slice(None, None, rng.choice([1, 1, 2, -1, -2])) for _ in range(array.ndim)]
    array = array[(*steps, ...)]
    if rng.random() < 0.2:
        array = np.broadcast_to(array, (2, *array.shape))
    if rng.random() < 0.2 and array.dtype.kind in "iuf":
        record = np.zeros(array.shape, [("a", "|u1"), ("b", array.dtype)])
        array = record["b"]
    if rng.random() < 0.3:
        array.flags.writeable = False
    return array


def case(rng):
    array = some_array(rng)
    own = array.__array_interface__
    data = [str(own["data"][0]), own["data"][1]]
    interface = {"version": 3, "shape": array.shape, "typestr": array.dtype.str, "strides": array.strides}
    return {"interface": {**interface, "data": data}, "fields": fields(array)}


def main(seed, count):
    warnings.simplefilter("ignore")
    rng = random.Random(seed)
    print(json.dumps({"numpy": np.__version__, "cases": [case(rng) for _ in range(count)]}))


main(*map(int, sys.argv[1:]))
