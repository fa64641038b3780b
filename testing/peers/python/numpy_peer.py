"""What NumPy makes of interface dicts and of views."""

import json

import numpy as np
from lines import serve

from numpy.lib.array_utils import byte_bounds

class Exposes:
    def __init__(self, interface):
        self.__array_interface__ = interface


def layout(array):
    pointer = array.__array_interface__["data"][0]
    dtype = array.dtype
    low, high = byte_bounds(array) if array.size else (pointer, pointer)
    fields = dtype.fields and [
        {"name": name, "offset": dtype.fields[name][1], "itemsize": dtype.fields[name][0].itemsize}
        for name in dtype.names
    ]
    return {
        "pointer": pointer,
        "shape": array.shape,
        "byteStrides": array.strides,
        "itemsize": array.itemsize,
        "kind": dtype.kind,
        "byteOrder": {">": "big", "|": "none"}.get(dtype.byteorder, "little"),
        "size": array.size,
        "nbytes": array.nbytes,
        "readOnly": not array.flags.writeable,
        "contiguous": {"c": array.flags.c_contiguous, "f": array.flags.f_contiguous},
        "extent": [low - pointer, high - pointer],
        "fields": fields or None,
    }


def _descr(entries):
    def entry(name, kind, *shape):
        name = tuple(name) if isinstance(name, list) else name
        kind = _descr(kind) if isinstance(kind, list) else kind
        return (name, kind, *map(tuple, shape))

    return [entry(*parts) for parts in entries]


def from_cuda(interface):
    """The layout of the same array in NumPy: bytes are the unit of both."""
    own = {key: interface[key] for key in ("shape", "typestr", "data")}
    pointer, read_only = own["data"]
    own["data"] = (pointer or 0, read_only)
    own["strides"] = interface.get("strides")
    if interface.get("descr") is not None:
        own["descr"] = _descr(interface["descr"])
    return from_numpy(own)


def from_sycl(interface):
    """The layout of the same array in NumPy: elements, and from a base."""
    itemsize = np.dtype(interface["typestr"]).itemsize
    pointer, read_only = interface["data"]
    strides = interface.get("strides")
    return from_numpy(
        {
            "shape": interface["shape"],
            "typestr": interface["typestr"],
            "data": (pointer + interface.get("offset", 0) * itemsize, read_only),
            "strides": None if strides is None else [stride * itemsize for stride in strides],
        }
    )


def from_numpy(interface):
    """The layout of what NumPy itself makes of its own interface."""
    own = {"version": 3, **interface}
    own["shape"] = tuple(own["shape"])
    own["data"] = tuple(own["data"])
    own["strides"] = None if own.get("strides") is None else tuple(own["strides"])
    return layout(np.asarray(Exposes(own)))


def views(shape, typestr, steps):
    """NumPy's interface of an array of zeros and of the views that the steps make one of another."""
    array = np.zeros(shape, typestr)
    found = [array]
    for name, argument in steps:
        if name == "slice":
            index = tuple(part if isinstance(part, int) else slice(*(part or [None])) for part in argument)
            array = array[(*index, ...)]
        elif name == "permuteDims":
            array = array.transpose(argument)
        elif argument:  # of no axes, NumPy would make a scalar of an array without axes
            array = np.flip(array, tuple(argument))
        found.append(array)
    return [
        {"interface": _json(part.__array_interface__), "layout": layout(part)} for part in found
    ]


def _json(interface):
    return json.loads(json.dumps({key: interface[key] for key in ("data", "shape", "strides", "typestr", "version")}))


serve(from_cuda, from_sycl, from_numpy, views)
