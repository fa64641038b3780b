"""What NumPy makes of interface dicts and of views."""

import numpy as np
from numpy.lib.array_utils import byte_bounds
from support.layouts import layout_of
from support.lines import serve
from support.producers import exposed
from support.views import view_of


def layout(array):
    pointer = array.__array_interface__["data"][0]
    dtype = array.dtype
    low, high = byte_bounds(array) if array.size else (pointer, pointer)
    fields = dtype.fields and [
        {"name": name, "offset": dtype.fields[name][1], "itemsize": dtype.fields[name][0].itemsize}
        for name in dtype.names
    ]
    return layout_of(
        array,
        pointer,
        byteOrder={">": "big", "|": "none"}.get(dtype.byteorder, "little"),
        nbytes=array.nbytes,
        readOnly=not array.flags.writeable,
        contiguous={"c": array.flags.c_contiguous, "f": array.flags.f_contiguous},
        extent=[low - pointer, high - pointer],
        fields=fields or None,
    )


def from_cuda(interface):
    """The layout of the same array in NumPy. Both count in bytes."""
    keys = ("shape", "typestr", "strides", "descr")
    own = {key: interface[key] for key in keys if interface.get(key) is not None}
    pointer, read_only = interface["data"]
    return from_numpy({**own, "data": [pointer or 0, read_only]})


def from_sycl(interface):
    """The layout of the same array in NumPy. The dict counts in elements, from a base."""
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
    return layout(np.asarray(exposed("__array_interface__", {"version": 3, **interface})))


def views(shape, typestr, steps):
    """NumPy's interface of an array of zeros, and of the views that the steps make, each of the previous one."""
    found = [np.zeros(shape, typestr)]
    for step in steps:
        found.append(view_of(found[-1], *step))
    return [{"interface": _plain(part.__array_interface__), "layout": layout(part)} for part in found]


def _plain(interface):
    return {key: interface[key] for key in ("data", "shape", "strides", "typestr", "version")}


serve(from_cuda, from_sycl, from_numpy, views)
