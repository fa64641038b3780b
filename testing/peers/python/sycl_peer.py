"""Interface dicts of dpctl and dpnp, and what both make of others'."""

import dpctl
import dpctl.memory as memory
import dpnp
import dpnp.tensor as tensor
from support.layouts import layout_of
from support.lines import serve
from support.producers import exposed

queue = dpctl.SyclQueue("cpu")
kept = []  # what the dicts given out point into


def _dict(producer):
    interface = dict(producer.__sycl_usm_array_interface__)
    if not isinstance(interface["syclobj"], dpctl.SyclQueue):
        raise TypeError(f"expected a queue as syclobj, got {interface['syclobj']!r}")
    del interface["syclobj"]
    kept.append(producer)
    return interface


def _of_array(array):
    strides = [stride * array.itemsize for stride in array.strides]
    read_only = not array.flags.writable
    return layout_of(array, array._pointer, byteStrides=strides, nbytes=array.nbytes, readOnly=read_only)


def _of_memory(usm):
    size = usm.nbytes
    return {"pointer": usm._pointer, "shape": [size], "byteStrides": [1], "itemsize": 1, "kind": "u"}


def exported():
    """By name: an interface dict that dpctl or dpnp made, and the layout as they report it."""
    found = {}

    def add(name, array):
        found[name] = {"interface": _dict(array), "layout": _of_array(array)}
        forwarded = dpnp.ndarray._create_from_usm_ndarray(array)
        found[f"dpnp {name}"] = {"interface": _dict(forwarded), "layout": _of_array(array)}

    for kind in ("Device", "Shared", "Host"):
        usm = getattr(memory, f"MemoryUSM{kind}")(64, queue=queue)
        found[f"MemoryUSM{kind}"] = {"interface": _dict(usm), "layout": _of_memory(usm)}
    for name in ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"):
        add(f"dtype {name}", tensor.empty(5, dtype=name))
    a = tensor.reshape(tensor.arange(24, dtype="f4"), (4, 6))
    fixed = tensor.arange(6, dtype="f8")
    fixed.flags["W"] = False
    for name, array in {
        "C": a,
        "F": tensor.empty((4, 6), dtype="f4", order="F"),
        "transposed": a.T,
        "slice": a[1:3, 2:5],
        "steps": a[::2, ::3],
        "reversed": a[::-1],
        "reversed twice": a[::-1, ::-1],
        "of one element": a[2, 3],
        "new axis": a[None],
        "empty slice": a[1:1],
        "empty columns": a[:, 3:3],
        "broadcast": tensor.broadcast_to(a[0], (3, 6)),
        "read-only": fixed,
        "no elements": tensor.empty((0,), dtype="i4"),
        "an axis without elements": tensor.empty((3, 0, 2), dtype="i4"),
        "no axes": tensor.asarray(7, dtype="i8"),
        "over memory": tensor.usm_ndarray(
            (3,), dtype="i4", buffer=memory.MemoryUSMShared(64, queue=queue), strides=(-2,), offset=10
        ),
        "on the host": tensor.empty((2, 3), dtype="f8", usm_type="host"),
        "on the device": tensor.empty((2, 3), dtype="f8", usm_type="device"),
    }.items():
        add(name, array)
    return found


def memory_of(interface):
    """What dpctl's parser makes of a dict: the first byte and how many."""
    usm = memory.as_usm_memory(exposed("__sycl_usm_array_interface__", interface))
    return {"pointer": usm._pointer, "nbytes": usm.nbytes}


def array_of(interface):
    """What dpnp's parser makes of a dict, without copying."""
    # dpnp takes a list as `data` as well as a tuple, but then it does not look at the read-only flag.
    return _of_array(tensor.asarray(exposed("__sycl_usm_array_interface__", interface), copy=False))


def allocate(byte_length):
    """The address of shared memory that stays until the end."""
    usm = memory.MemoryUSMShared(byte_length, queue=queue)
    kept.append(usm)
    return usm._pointer


def versions():
    """The versions of both, as they report them."""
    return {"dpctl": dpctl.__version__, "dpnp": dpnp.__version__}


serve(exported, memory_of, array_of, allocate, versions)
