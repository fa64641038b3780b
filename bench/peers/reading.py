"""Times what NumPy, cuda.core and Numba take to read the arrays of benchmarks/reading.mjs."""

import os

os.environ["CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING"] = "1"

import numpy as np
from timed_calls import answer
from cuda.bindings import driver
from cuda.core import Device
from cuda.core.utils import StridedMemoryView
from numba import cuda

Device(0).set_current()


class Exposes:
    pass


def interface(pointer, **more):
    return {"shape": (4, 5, 6), "typestr": "<f4", "data": (pointer, False), "strides": (120, 24, 4), "version": 3, **more}


host, device, records = Exposes(), Exposes(), Exposes()
memory = np.zeros((4, 5, 6), "f4")
host.__array_interface__ = interface(memory.ctypes.data)
device.__cuda_array_interface__ = interface(int(driver.cuMemAlloc(480)[1]), stream=None)
fields = np.zeros(100, [("x", "<f4"), ("y", "<f4"), ("id", "<i4")])
records.__array_interface__ = fields.__array_interface__

answer(
    {
        "NumPy": lambda: np.asarray(host),
        "NumPy, a record": lambda: np.asarray(records),
        "cuda.core": lambda: StridedMemoryView.from_cuda_array_interface(device, stream_ptr=-1),
        "Numba": lambda: cuda.as_cuda_array(device, sync=False),
    }
)
