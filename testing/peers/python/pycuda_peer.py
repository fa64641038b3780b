"""PyCUDA: its arrays, copies on streams, events and handles for other processes, and arrays given to its kernels."""

from importlib.metadata import version

import array_interface
import numpy as np
import pycuda.autoprimaryctx
import pycuda.driver as drv
from array_interface._lease import LeaseLock
from pycuda.gpuarray import GPUArray, to_gpu
from support.layouts import layout_of
from support.lines import serve
from support.producers import Exposes, exposed

# PyCUDA compiles nothing here, as it needs nvcc for that.
KERNELS = drv.module_from_buffer(b"""
.version 7.0
.target sm_50
.address_size 64
.visible .entry look_at(.param .u64 start) { ret; }
.visible .entry double_and_add(.param .u64 start, .param .u32 count, .param .f32 more)
{
  .reg .pred %p;
  .reg .b32 %i, %count;
  .reg .f32 %value, %more;
  .reg .b64 %place, %offset;
  ld.param.u64 %place, [start];
  ld.param.u32 %count, [count];
  ld.param.f32 %more, [more];
  mov.u32 %i, %tid.x;
  setp.ge.u32 %p, %i, %count;
  @%p bra done;
  cvta.to.global.u64 %place, %place;
  mul.wide.u32 %offset, %i, 4;
  add.s64 %place, %place, %offset;
  ld.global.f32 %value, [%place];
  add.f32 %value, %value, %value;
  add.f32 %value, %value, %more;
  st.global.f32 [%place], %value;
done:
  ret;
}
""")
look_at = KERNELS.get_function("look_at")
double_and_add = KERNELS.get_function("double_and_add")
kept = []


def versions():
    """The version of PyCUDA, as it reports it."""
    return {"PyCUDA": version("pycuda")}


def device():
    """The name of the device."""
    return drv.Device(0).name()


WHOLE = np.arange(24, dtype="f4").reshape(4, 6)


def transferred():
    """By name: whether an array came back from the device unchanged."""
    records = np.zeros(3, dtype=[("x", "<f4"), ("y", "<i8")])
    records["y"] = 1, 2, 3
    arrays = {
        "C": WHOLE,
        "F": np.asfortranarray(WHOLE),
        "permuted": np.arange(24, dtype="i2").reshape(2, 3, 4).transpose(1, 2, 0),
        "no axes": np.array(7, dtype="i8"),
        "no elements": np.zeros((0, 3), dtype="i4"),
        "booleans": np.array([True, False]),
        "complex": np.arange(3, dtype="c16"),
        "records": records,
    }
    same = lambda there, here: (there == here).all() and (there.shape, there.dtype) == (here.shape, here.dtype)
    return {name: bool(same(to_gpu(array).get(), array)) for name, array in arrays.items()}


def exported():
    """By name: a dict that PyCUDA made, and the layout as PyCUDA reports it."""
    a = to_gpu(WHOLE)
    arrays = {
        "C": a,
        "F": to_gpu(np.asfortranarray(WHOLE)),
        "transposed": a.T,
        "slice": a[1:3, 2:5],
        "steps": a[::2, ::3],
        "a column": a[:, 3],
        "reshaped": a.reshape(2, 12),
        "another type": a.view(np.dtype("i4")),
        "no axes": to_gpu(np.array(7, dtype="i8")),
        "no elements": GPUArray((0, 3), "i4"),
        "booleans": to_gpu(np.array([True, False])),
        "complex": to_gpu(np.arange(3, dtype="c16")),
    }
    kept.append(arrays)
    return {
        name: {
            "interface": array.__cuda_array_interface__,
            "layout": layout_of(array, int(array.gpudata) if array.size else 0, nbytes=array.nbytes),
        }
        for name, array in arrays.items()
    }


def streams():
    """Work on two streams, the second of which waits for an event of the first."""
    first, second = drv.Stream(), drv.Stream()
    sent, got = drv.pagelocked_empty(24, "f4"), drv.pagelocked_zeros(24, "f4")
    sent[:] = np.arange(24)
    there = GPUArray(24, "f4")
    there.set_async(sent, stream=first)
    double_and_add(there, np.uint32(24), np.float32(1), block=(64, 1, 1), stream=first)
    done = drv.Event().record(first)
    second.wait_for_event(done)
    there.get_async(stream=second, ary=got)
    end = drv.Event().record(second)
    pending = not end.query() and not got.any()
    end.synchronize()
    return {
        "pending": pending,
        "values": got.tolist(),
        "done": done.query() and second.is_done(),
        "elapsed": end.time_since(done) >= 0,
    }


def reads(consumer, interface):
    """Returns None if a kernel of PyCUDA's takes the dict as its argument, or else the complaint."""
    try:
        look_at(exposed("__cuda_array_interface__", interface), block=(1, 1, 1))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def allocate(count):
    """The address of device memory with the numbers 0, 1, 2, … as float32."""
    kept.append(to_gpu(np.arange(count, dtype="f4")))
    return int(kept[-1].gpudata)


def imported(interface):
    """The values of an array of PyCUDA's with the memory and layout of a dict."""
    start, _ = interface["data"]
    return GPUArray(interface["shape"], interface["typestr"], gpudata=start, strides=interface["strides"]).get().tolist()


def given(interface, more):
    """Runs a kernel with the dict. It doubles the numbers of the array, and adds `more`."""
    producer = exposed("__cuda_array_interface__", interface)
    count = np.uint32(np.prod(interface["shape"]))
    double_and_add(producer, count, np.float32(more), block=(64, 1, 1))


def overlooked():
    """By rule: what a kernel makes of 0, 1, 2 and 3 if it gets an array of two that breaks the rule."""

    def of(read_only=False, **differs):
        data = [allocate(4), read_only]
        given({"shape": [2], "typestr": "<f4", "data": data, "version": 3, **differs}, 1)
        return kept[-1].get().tolist()

    return {
        "PyCUDA noMask": of(mask=Exposes()),
        "PyCUDA writable": of(read_only=True),
        "PyCUDA nativeByteOrder": of(typestr=">f4"),
        "PyCUDA cOrder": of(strides=[8]),
    }


class Opened:
    """The array of a ticket, opened by PyCUDA's own functions. `stream` waits for all that the ticket names."""

    def __init__(self, ticket):
        self.lease = LeaseLock(ticket)
        self.stream = drv.Stream()
        self.memory = drv.IPCMemoryHandle(bytearray.fromhex(ticket["memory"]))
        opened = lambda name: drv.Event.from_ipc_handle(bytearray.fromhex(ticket[name]))
        self.ready, self.back = opened("ready"), opened("back")
        for event in (self.ready, self.back):
            self.stream.wait_for_event(event)
        start = int(self.memory) + ticket["offset"]
        self.array = GPUArray(
            ticket["shape"], ticket["typestr"], base=self.memory, gpudata=start, strides=ticket["byteStrides"]
        )

    def take_turn(self):
        """Makes later work of the others wait for the stream's."""
        with self.lease.turn():
            self.stream.wait_for_event(self.back)
            self.back.record(self.stream)

    def close(self):
        self.stream.synchronize()
        self.memory.close()
        self.lease.leave()


opened = []


def work_on(ticket, more):
    """Runs a kernel on the array of a ticket, in the order that the ticket asks for."""
    it = Opened(ticket)
    double_and_add(it.array, np.uint32(it.array.size), np.float32(more), block=(64, 1, 1), stream=it.stream)
    it.take_turn()
    opened.append(it)


def finish():
    """Closes what tickets opened."""
    while opened:
        opened.pop().close()


shared = {}


def make_ticket(count):
    """A ticket for an array of PyCUDA's, filled by a kernel that has not been waited for."""
    stream = drv.Stream()
    array = to_gpu(np.arange(count, dtype="f4"))
    double_and_add(array, np.uint32(count), np.float32(1), block=(64, 1, 1), stream=stream)
    ticket = array_interface.share(array)
    ticket.record(stream.handle)
    shared.update(array=array, ticket=ticket, stream=stream)
    return ticket


def values():
    """The values of the shared array, after the work that its openers recorded."""
    stream = shared["stream"]
    shared["ticket"].wait(stream.handle)
    got = shared["array"].get_async(stream=stream, ary=drv.pagelocked_empty(shared["array"].shape, "f4"))
    stream.synchronize()
    return got.tolist()


serve(
    versions, device, transferred, exported, streams, reads, allocate, imported, given, overlooked, work_on, finish,
    make_ticket, values
)
