"""Times what NumPy, cuda.core and Numba take to read the array of benchmarks/reading.mjs.

A request is {"name": …, "seconds": …}; the answer, median nanoseconds and traced bytes."""

import json
import os
import statistics
import sys
import timeit
import tracemalloc

os.environ["CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING"] = "1"

import numpy as np
from cuda.bindings import driver
from cuda.core import Device
from cuda.core.utils import StridedMemoryView
from numba import cuda

Device(0).set_current()


class Exposes:
    pass


def interface(pointer, **more):
    return {"shape": (4, 5, 6), "typestr": "<f4", "data": (pointer, False), "strides": (120, 24, 4), "version": 3, **more}


host, device = Exposes(), Exposes()
memory = np.zeros((4, 5, 6), "f4")
host.__array_interface__ = interface(memory.ctypes.data)
device.__cuda_array_interface__ = interface(int(driver.cuMemAlloc(480)[1]), stream=None)

readers = {
    "NumPy": lambda: np.asarray(host),
    "cuda.core": lambda: StridedMemoryView.from_cuda_array_interface(device, stream_ptr=-1),
    "Numba": lambda: cuda.as_cuda_array(device, sync=False),
}


def nanoseconds(read, seconds):
    timer = timeit.Timer(read)
    number, took = timer.autorange()
    number = max(1, int(number * 0.01 / took))  # about 10 ms a sample
    samples = timer.repeat(repeat=max(5, int(seconds / 0.01)), number=number)
    return statistics.median(samples) / number * 1e9


def traced_bytes(read):
    """What one call allocates through Python's allocators, its result included."""
    kept = [read() for _ in range(10)]
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [read() for _ in range(1000)]
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return round((after - before - sys.getsizeof(kept)) / 1000)


for line in sys.stdin:
    request = json.loads(line)
    read = readers[request["name"]]
    answer = {"nanoseconds": nanoseconds(read, request["seconds"]), "bytes": traced_bytes(read)}
    print(json.dumps(answer), flush=True)
