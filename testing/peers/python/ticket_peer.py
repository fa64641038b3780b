"""Numba and cuda.core in another process: opens the tickets of @array-interface/cuda with the pip package, and makes one."""

import array_interface
import numpy as np
from cuda.core import Buffer, Device, LegacyPinnedMemoryResource
from cuda.core.utils import StridedMemoryView
from numba import cuda
from support.lines import serve

kept = []


@cuda.jit
def double_and_add(x, more):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = 2 * x[i] + more


def work_on(ticket, more):
    """Runs a kernel on the array of a ticket, in the order that the ticket asks for."""
    opened = array_interface.open_ticket(ticket)
    array = cuda.as_cuda_array(opened, sync=False)
    double_and_add[1, 64, cuda.external_stream(opened.stream)](array, more)
    opened.record()
    kept.append(opened)


def work_on_legacy_stream(ticket, more):
    """The same, as a program that does not know about streams."""
    with array_interface.open_ticket(ticket) as opened:
        double_and_add[1, 64](cuda.as_cuda_array(opened), more)
    kept.append(opened)


def view_with_core(ticket):
    """cuda.core's view of the array of a ticket, and what it reads on a stream other than the dict's."""
    opened = array_interface.open_ticket(ticket)
    kept.append(opened)
    device = Device(0)
    device.set_current()
    queue = device.create_stream()
    view = StridedMemoryView.from_cuda_array_interface(opened, stream_ptr=int(queue.handle))
    dtype = np.dtype(view.dtype)
    here = LegacyPinnedMemoryResource().allocate(dtype.itemsize * int(np.prod(view.shape)))
    here.copy_from(Buffer.from_handle(view.ptr, here.size), stream=queue)
    queue.sync()
    values = np.from_dlpack(here).view(dtype).tolist()
    here.close()
    return {"shape": view.shape, "readOnly": view.readonly, "dtype": dtype.str, "values": values}


class Bytes:
    """The bytes that the elements of an array touch: Numba copies no negative strides."""

    def __init__(self, interface):
        steps = [(length - 1) * stride for length, stride in zip(interface["shape"], interface["strides"])]
        self.before = -sum(min(step, 0) for step in steps)
        count = self.before + sum(max(step, 0) for step in steps) + np.dtype(interface["typestr"]).itemsize
        start = interface["data"][0] - self.before
        self.__cuda_array_interface__ = {
            **interface, "shape": (count,), "strides": None, "typestr": "|u1", "data": (start, False)
        }


def describe(ticket):
    """The layout of a ticket's array, as its dict has it, and its elements."""
    opened = array_interface.open_ticket(ticket)
    found = opened.__cuda_array_interface__
    touched = Bytes(found)
    here = cuda.as_cuda_array(touched).copy_to_host()
    elements = np.ndarray(found["shape"], found["typestr"], here, touched.before, found["strides"])
    opened.close()
    return {
        "shape": found["shape"],
        "byteStrides": found["strides"],
        "typestr": found["typestr"],
        "readOnly": found["data"][1],
        "bytes": elements.tobytes().hex(),
    }


def finish():
    """Closes what tickets opened."""
    while kept:
        kept.pop().close()


def make_ticket(count):
    """A ticket for an array of Numba's, filled by a kernel that has not been waited for."""
    stream = cuda.stream()
    array = cuda.to_device(np.arange(count, dtype="f4"))
    double_and_add[1, 64, stream](array, np.float32(1))
    ticket = array_interface.share(array)
    ticket.record(stream)
    shared.update(array=array, ticket=ticket, stream=stream)
    return ticket


shared = {}


def values():
    """The values of the shared array, after the work that its openers recorded."""
    shared["ticket"].wait(shared["stream"])
    return shared["array"].copy_to_host(stream=shared["stream"]).tolist()


def close():
    """How many memories are kept for openers, once the ticket is closed."""
    shared["ticket"].close()
    return array_interface.collect()


serve(work_on, work_on_legacy_stream, view_with_core, describe, finish, make_ticket, values, close)
