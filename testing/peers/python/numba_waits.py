"""Numba on the simulator: streams that wait for one another, or do not."""

import warnings

import numpy as np
from numba import cuda
from numba.core.errors import NumbaPerformanceWarning
from support.lines import serve

warnings.simplefilter("ignore", NumbaPerformanceWarning)  # small grids


@cuda.jit
def fill(x, value):
    x[cuda.threadIdx.x] = value


def waited(waits):
    """What a stream reads of another's pending kernel, with or without a wait for its event."""
    array = cuda.to_device(np.zeros(4, "i4"))
    cuda.synchronize()
    producer, consumer = cuda.stream(), cuda.stream()
    event = cuda.event()
    fill[1, 4, producer](array, 7)
    event.record(producer)
    if waits:
        event.wait(consumer)
    read = cuda.pinned_array(4, "i4")
    array.copy_to_host(read, stream=consumer)
    consumer.synchronize()
    return read.tolist()


serve(waited)
