"""Times copies and launches by dpctl and dpnp on a queue of their own. Bytes of a block for {"copy"}: argv.

{"memcpy": BYTES} is the queue's memcpy between device memories, {"upload": BYTES} from USM host memory,
{"copy": [TO, FROM]} dpnp's copy of a layout of layouts/*.mjs, {"calls": COUNT, "method": …} so many memcpys of 1 KiB
by that method of the queue, {"calls": COUNT, "spirv": FILE} so many launches of its axpy."""

import ctypes
import sys
from functools import partial

import dpctl
import dpctl.memory as memory
import dpctl.program
import dpnp
from dpnp.tensor import usm_ndarray
from timed_work import answer

queue = dpctl.SyclQueue("cpu", property="in_order")


def block(count, allocate=memory.MemoryUSMDevice):
    made = allocate(count, queue=queue)
    made.memset(1)
    return made


blocks = [block(int(size)) for size in sys.argv[1:] for _ in range(2)]


def numbers(usm, side):
    size = dpnp.dtype(side["type"]).itemsize
    strides = [stride // size for stride in side["byteStrides"]]
    return view(usm, side["shape"], side["type"], strides, side["offset"] // size)


def swapped(usm, side, is_reversed):
    """The bytes of each number, of a complex one those of each part: dpnp has no other byte order."""
    type = dpnp.dtype(side["type"].lstrip("<>"))
    parts = 2 if type.kind == "c" else 1
    size = type.itemsize // parts
    shape = [*side["shape"], parts, size]
    strides = [*side["byteStrides"], size, -1 if is_reversed else 1]
    return view(usm, shape, "u1", strides, side["offset"] + (size - 1 if is_reversed else 0))


def view(usm, shape, type, strides, offset):
    array = usm_ndarray(shape, dtype=type, buffer=usm, strides=strides, offset=offset)
    return dpnp.asarray(array)


def copy(to, source):
    if source["type"][0] == ">":
        to, source = swapped(blocks[0], to, False), swapped(blocks[1], source, True)
    else:
        to, source = numbers(blocks[0], to), numbers(blocks[1], source)
    return partial(to.__setitem__, ..., source)


def copy_bytes(count, allocate):
    to, source = block(count), block(count, allocate)
    return partial(queue.memcpy, to, source, count)


def call(method):
    blocks = [memory.MemoryUSMDevice(1024, queue=queue) for _ in range(2)]
    return partial(getattr(queue, method), *blocks, 1024)


def launch(file):
    with open(file, "rb") as module:
        kernel = dpctl.program.create_program_from_spirv(queue, module.read()).get_sycl_kernel("axpy")
    source, to = (memory.MemoryUSMDevice(4, queue=queue) for _ in range(2))
    arguments = [source, to, ctypes.c_float(0), ctypes.c_uint32(1)]
    return partial(queue.submit, kernel, arguments, [1])


def prepare(request):
    if "spirv" in request:
        return launch(request["spirv"])
    if "copy" in request:
        return copy(*request["copy"])
    if "method" in request:
        return call(request["method"])
    if "upload" in request:
        return copy_bytes(request["upload"], memory.MemoryUSMHost)
    return copy_bytes(request["memcpy"], memory.MemoryUSMDevice)


answer(prepare, queue.wait)
