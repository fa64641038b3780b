"""Memory of raw driver calls, Numba's and cuda.core's view of it, and Numba's own dicts."""

import importlib.metadata
import os

os.environ["CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING"] = "1"

import numpy as np
from cuda.bindings import driver
from cuda.core import Device
from cuda.core.utils import StridedMemoryView
from numba import cuda
from support.layouts import layout_of
from support.lines import serve
from support.producers import exposed, typed

kept = []  # what addresses given out belong to


def _check(result):
    error, *values = result
    if error != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(error.name)
    return values[0] if values else None


_check(driver.cuInit(0))
_check(driver.cuCtxSetCurrent(_check(driver.cuDevicePrimaryCtxRetain(_check(driver.cuDeviceGet(0))))))
Device(0).set_current()


def environment():
    """What the results depend on: the device's name, and a linker of NVIDIA's."""
    installed = {package.metadata["Name"] for package in importlib.metadata.distributions()}
    return {
        "device": _check(driver.cuDeviceGetName(64, 0)).split(b"\0")[0].decode(),
        "nvjitlink": sorted(name for name in installed if "nvjitlink" in name),
    }


def allocate(values):
    """The address of device memory that holds these bytes."""
    pointer = int(_check(driver.cuMemAlloc(len(values))))
    _check(driver.cuMemcpyHtoD(pointer, bytes(values), len(values)))
    return pointer


def stream():
    """The handle of a new stream."""
    return int(_check(driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING)))


def _of_numba(array):
    return layout_of(array, array.device_ctypes_pointer.value or 0)


def numba_array(interface, how):
    """What Numba makes of a dict: the layout, and the values if it can copy them."""
    if how == "from_cuda_array_interface":
        array = cuda.from_cuda_array_interface(typed(interface))
    else:
        array = cuda.as_cuda_array(exposed("__cuda_array_interface__", interface))
    values = None
    if all(stride >= 0 for stride in array.strides):
        values = array.copy_to_host().ravel().tolist()
    return {"layout": _of_numba(array), "values": values, "stream": int(array.stream) if array.stream else None}


def core_view(interface, consumer):
    """What cuda.core makes of a dict, ordered before the consumer's stream."""
    producer = exposed("__cuda_array_interface__", interface)
    view = StridedMemoryView.from_cuda_array_interface(producer, stream_ptr=consumer)
    itemsize = view.dtype.itemsize
    strides = view.strides
    if strides is None:
        strides = [stride // itemsize for stride in np.empty(view.shape, view.dtype).strides]
    return {
        "pointer": view.ptr,
        "shape": view.shape,
        "byteStrides": [stride * itemsize for stride in strides],
        "itemsize": itemsize,
        "kind": view.dtype.kind,
        "readOnly": view.readonly,
    }


def exported():
    """By name: a dict that Numba made, and the layout as Numba reports it."""
    found = {}
    whole = np.arange(24, dtype="f4").reshape(4, 6)
    a = cuda.to_device(whole)
    own = cuda.stream()
    for name, array in {
        "C": a,
        "F": cuda.to_device(np.asfortranarray(whole)),
        "slice": a[1:3, 2:5],
        "steps": a[::2, ::3],
        "a column": a[:, 3],
        "no axes": cuda.to_device(np.int64(7)),
        "no elements": cuda.device_array((0,), dtype="i4"),
        "booleans": cuda.to_device(np.array([True, False])),
        "complex": cuda.to_device(np.arange(3, dtype="c16")),
        "records": cuda.to_device(np.zeros(3, dtype=[("x", "<f4"), ("y", "<i8")])),
        "dates": cuda.to_device(np.zeros(3, dtype="M8[ns]")),
        "managed": cuda.managed_array((2, 3), dtype="f8"),
        "pinned": cuda.mapped_array((2, 3), dtype="i2"),
        "on a stream": cuda.to_device(whole, stream=own),
    }.items():
        kept.append(array)
        found[name] = {"interface": array.__cuda_array_interface__, "layout": _of_numba(array)}
    kept.append(own)
    return {"arrays": found, "stream": int(own.handle)}


serve(environment, allocate, stream, numba_array, core_view, exported)
