"""CuPy on the simulator's runtime library: memory of all kinds, streams, interfaces, and kernels through PTX."""

import ctypes
from importlib.metadata import version

import array_interface
import cupy
import numpy as np
from support.lines import serve

runtime = cupy.cuda.runtime


def versions():
    """The version of CuPy, as it reports it."""
    return {"CuPy": version("cupy-cuda12x")}


def library():
    """The major version of the simulator's runtime library, as it says itself, and what CuPy says of it."""
    marker = ctypes.c_int.in_dll(ctypes.CDLL("libcudart.so.12"), "simcudart_marker").value
    return {"marker": marker, "runtime": runtime.runtimeGetVersion(), "devices": runtime.getDeviceCount()}


def properties():
    """Fields of cudaDeviceProp from its beginning to its end, and the attributes that they repeat."""
    told = runtime.getDeviceProperties(0)
    attributes = {
        "warpSize": 10,
        "multiProcessorCount": 16,
        "memoryClockRate": 36,
        "cooperativeLaunch": 95,
        "maxBlocksPerMultiProcessor": 106,
        "reservedSharedMemPerBlock": 111,
    }
    return {
        "name": told["name"].decode(),
        "differ": [
            name for name, number in attributes.items() if told[name] != runtime.deviceGetAttribute(number, 0)
        ],
    }


def transferred():
    """By name: whether an array came back unchanged."""
    whole = np.arange(24, dtype="f4").reshape(2, 3, 4)
    pinned = np.frombuffer(cupy.cuda.alloc_pinned_memory(96), "f4", 24).reshape(2, 3, 4)
    pinned[...] = whole
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        queued = cupy.empty((2, 3, 4), "f4")
        queued.set(pinned, stream=stream)
        back = queued.get(stream=stream)
    with cupy.cuda.Device(1):
        there = cupy.asarray(whole)
        second = there.device.id == 1 and bool((there.get() == whole).all())
    managed = cupy.ndarray(24, "f4", cupy.cuda.malloc_managed(96))
    managed.set(whole.ravel())
    pool = cupy.cuda.MemoryAsyncPool()
    with cupy.cuda.using_allocator(pool.malloc):
        pooled = cupy.asarray(whole).get()
    return {
        "plain": bool((cupy.asarray(whole).get() == whole).all()),
        "pinned, on a stream": bool((back == whole).all()),
        "second device": second,
        "managed": bool((managed.get() == whole.ravel()).all()),
        "stream-ordered pool": bool((pooled == whole).all()),
    }


def interfaces():
    """Whether CuPy reads back its own memory, by the interface's dict and by DLPack, at the same address."""
    array = cupy.asarray(np.arange(6, dtype="i4"))

    class Foreign:
        __cuda_array_interface__ = array.__cuda_array_interface__

    read = cupy.asarray(Foreign())
    taken = cupy.from_dlpack(array)
    return {
        "version": array.__cuda_array_interface__["version"],
        "dict": read.data.ptr == array.data.ptr and read.get().tolist(),
        "dlpack": taken.data.ptr == array.data.ptr and taken.get().tolist(),
    }


def filled_by_ticket(ticket, value):
    """What CuPy reads of a ticket's array, in its own memory; then fills it with a value, for Node to see."""
    with array_interface.open_cuda_ticket(ticket) as opened:
        with cupy.cuda.ExternalStream(opened.stream):
            array = cupy.asarray(opened)
            read = array.get().tolist()
            array.fill(value)
        address, _ = opened.__cuda_array_interface__["data"]
        return {"same": array.data.ptr == address, "values": read}


_shared = {}


def make_ticket(count):
    """A ticket of an array of CuPy's, filled by a kernel that has not been waited for."""
    stream = cupy.cuda.Stream(non_blocking=True)
    array = cupy.zeros(count, "i4")
    cupy.cuda.Device().synchronize()
    with stream:
        _fill((1,), (count,), (array, np.int32(7)))
        ticket = array_interface.share(array)  # its dict names the stream
    _shared.update(array=array, ticket=ticket, stream=stream)
    return ticket


def values():
    """The values of the shared array, after the work of those who opened it."""
    _shared["ticket"].wait(_shared["stream"].ptr)
    return _shared["array"].get(stream=_shared["stream"]).tolist()


def kernels():
    """Results of kernels that NVRTC compiled to PTX."""
    x = cupy.arange(6, dtype="f4")
    raw = cupy.RawKernel(
        r'extern "C" __global__ void twice(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] *= 2; }', "twice"
    )
    raw((1,), (32,), (x, np.int32(6)))
    squares = cupy.ElementwiseKernel("float32 x", "float32 y", "y = x * x", "squares")(x)
    largest = cupy.ReductionKernel("float32 x", "float32 y", "x", "max(a, b)", "y = a", "-1", "largest")(squares)
    return {
        "raw": x.get().tolist(),
        "elementwise": squares.get().tolist(),
        "reduction": float(largest),
        "sum": float(x.sum()),
        "where": cupy.where(x > 4, x, -x).get().tolist(),
    }


_fill = cupy.RawKernel('extern "C" __global__ void fill(int* x, int v) { x[threadIdx.x] = v; }', "fill")


def waited(waits):
    """What a stream reads of another's pending kernel, with or without a wait for its event."""
    array = cupy.zeros(4, "i4")
    cupy.cuda.Device().synchronize()
    producer = cupy.cuda.Stream(non_blocking=True)
    consumer = cupy.cuda.Stream(non_blocking=True)
    with producer:
        _fill((1,), (4,), (array, np.int32(7)))
        event = producer.record()
    if waits:
        consumer.wait_event(event)
    return array.get(stream=consumer).tolist()


def past_the_end():
    """The error of a kernel that writes past the end of an allocation of its own."""
    pool = cupy.cuda.MemoryPool(cupy.cuda.memory._malloc)
    with cupy.cuda.using_allocator(pool.malloc):
        array = cupy.ndarray(128, "i4", pool.malloc(512))
    _fill((1,), (129,), (array, np.int32(7)))
    try:
        cupy.cuda.Device().synchronize()
    except runtime.CUDARuntimeError as error:
        return str(error)
    return ""


serve(
    versions,
    library,
    properties,
    transferred,
    interfaces,
    filled_by_ticket,
    make_ticket,
    values,
    kernels,
    waited,
    past_the_end,
)
