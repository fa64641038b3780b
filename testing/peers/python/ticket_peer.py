"""Numba and cuda.core beside Node: opens the tickets of @array-interface/cuda with the driver's own functions, as
docs/synchronisation.md says, and makes one."""

import ctypes

import leases
import numpy as np
from cuda.bindings import driver
from cuda.core import Buffer, Device, LegacyPinnedMemoryResource
from cuda.core.utils import StridedMemoryView
from lines import serve
from numba import cuda

FLAGS = driver.CUevent_flags.CU_EVENT_INTERPROCESS.value | driver.CUevent_flags.CU_EVENT_DISABLE_TIMING.value
kept = []


def checked(answer):
    result, *values = answer
    if result != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(result.name)
    return values[0] if values else None


def handle(kind, digits):
    made = kind()
    ctypes.memmove(made.getPtr(), bytes.fromhex(digits), 64)
    return made


def digits(made):
    return ctypes.string_at(made.getPtr(), 64).hex()


@cuda.jit
def double_and_add(x, more):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = 2 * x[i] + more


class Memory:
    def __init__(self, interface):
        self.__cuda_array_interface__ = interface


class Opened:
    """The array of a ticket. All that the ticket asks to wait for is before what `stream` gets."""

    def __init__(self, ticket):
        self.lease = leases.Lease(ticket)
        self.stream = cuda.stream()
        self.start = checked(driver.cuIpcOpenMemHandle(handle(driver.CUipcMemHandle, ticket["memory"]), 1))
        self.ready, self.back = (
            checked(driver.cuIpcOpenEventHandle(handle(driver.CUipcEventHandle, ticket[name])))
            for name in ("ready", "back")
        )
        for event in (self.ready, self.back):
            checked(driver.cuStreamWaitEvent(int(self.stream.handle), event, 0))
        self.memory = Memory(
            {
                "shape": tuple(ticket["shape"]),
                "strides": tuple(ticket["byteStrides"]),
                "typestr": ticket["typestr"],
                "data": (int(self.start) + ticket["offset"], ticket["readOnly"]),
                "stream": int(self.stream.handle),
                "version": 3,
            }
        )
        kept.append(self)

    def take_turn(self):
        """What the stream was given comes before what the others do from now on."""
        queue = int(self.stream.handle)
        with self.lease.turn():
            checked(driver.cuStreamWaitEvent(queue, self.back, 0))
            checked(driver.cuEventRecord(self.back, queue))

    def close(self):
        self.stream.synchronize()
        checked(driver.cuIpcCloseMemHandle(self.start))
        for event in (self.ready, self.back):
            checked(driver.cuEventDestroy(event))
        self.lease.close()


def work_on(ticket, more):
    """Runs a kernel on the array of a ticket, in the order that the ticket asks for."""
    opened = Opened(ticket)
    array = cuda.as_cuda_array(opened.memory, sync=False)
    double_and_add[1, 64, opened.stream](array, more)
    opened.take_turn()


def view_with_core(ticket):
    """cuda.core's view of the array of a ticket, and what it reads on another stream than the dict's."""
    opened = Opened(ticket)
    device = Device(0)
    device.set_current()
    queue = device.create_stream()
    view = StridedMemoryView.from_cuda_array_interface(opened.memory, stream_ptr=int(queue.handle))
    dtype = np.dtype(view.dtype)
    here = LegacyPinnedMemoryResource().allocate(dtype.itemsize * int(np.prod(view.shape)))
    here.copy_from(Buffer.from_handle(view.ptr, here.size), stream=queue)
    queue.sync()
    values = np.from_dlpack(here).view(dtype).tolist()
    here.close()
    return {"shape": view.shape, "readOnly": view.readonly, "dtype": dtype.str, "values": values}


def finish():
    """Gives back what tickets opened."""
    while kept:
        kept.pop().close()


def make_ticket(count):
    """A ticket for an array of Numba's, filled by a kernel that has not been waited for."""
    stream = cuda.stream()
    array = cuda.to_device(np.arange(count, dtype="f4"))
    double_and_add[1, 64, stream](array, np.float32(1))
    ready, back = (checked(driver.cuEventCreate(FLAGS)) for _ in range(2))
    checked(driver.cuEventRecord(ready, int(stream.handle)))
    device = checked(driver.cuDeviceGetUuid(0))
    start = array.__cuda_array_interface__["data"][0]
    memory = digits(checked(driver.cuIpcGetMemHandle(start)))
    ticket = leases.make_ticket(
        device=bytes(device.bytes).hex(),
        memory=memory,
        ready=digits(checked(driver.cuIpcGetEventHandle(ready))),
        back=digits(checked(driver.cuIpcGetEventHandle(back))),
        byteLength=array.nbytes,
        offset=0,
        shape=list(array.shape),
        byteStrides=list(array.strides),
        typestr="<f4",
        descr=None,
        readOnly=False,
    )
    shared.update(array=array, back=back, stream=stream)
    return ticket


shared = {}


def values():
    """Of the array that was shared, after what its openers recorded."""
    stream = shared["stream"]
    checked(driver.cuStreamWaitEvent(int(stream.handle), shared["back"], 0))
    return shared["array"].copy_to_host(stream=stream).tolist()


serve(work_on, view_with_core, finish, make_ticket, values)
