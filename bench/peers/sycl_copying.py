"""Copies by dpctl and dpnp on a queue of their own: a request in JSON a line in, nanoseconds out.

{"memcpy": BYTES} is the queue's memcpy between device memories, {"upload": BYTES} from USM host memory,
{"copy": NAME} dpnp's copy of that layout of layouts/layouts.mjs, {"calls": COUNT, "method": …} so many memcpys of 1 KiB
by that method of the queue, {"calls": COUNT, "spirv": FILE} so many launches of its axpy, in nanoseconds for
each."""

import ctypes
import json
import sys
import time

import dpctl
import dpctl.memory as memory
import dpctl.program
import dpnp

SIDE = 4096
IMAGE = (4096, 5461, 3)

queue = dpctl.SyclQueue("cpu", property="in_order")


def make(shape, dtype="f4"):
    return dpnp.ones(shape, dtype=dtype, sycl_queue=queue)


def square(dtype="f4", rows=SIDE, columns=SIDE):
    return make((rows, columns), dtype)


def to_channels_first(dtype, source_dtype, image=IMAGE):
    return make((3, *image[:2]), dtype), make(image, source_dtype).transpose(2, 0, 1)


# Made when they are asked for: one at a time in memory.
COPIES = {
    "contiguous f4": lambda: (square(), square()),
    "transposed f4, 4096 x 4096": lambda: (square(), square().T),
    "transposed f4, 4032 x 4032": lambda: (square("f4", 4032, 4032), square("f4", 4032, 4032).T),
    "channels last to first, u1": lambda: to_channels_first("u1", "u1"),
    "channels last to first, u1 to f4": lambda: to_channels_first("f4", "u1"),
    "channels last to first, f4": lambda: to_channels_first("f4", "f4", (2364, 2366, 3)),
    "channels last to first of 224 x 224, u1 to f4": lambda: to_channels_first("f4", "u1", (224, 224, 3)),
    "padded crop f4": lambda: (square(), square("f4", SIDE, 4160)[:, :SIDE]),
    "reversed on both axes f4": lambda: (square(), square()[::-1, ::-1]),
    "one row broadcast f4": lambda: (square(), make((1, SIDE))),
    "f2 to f4": lambda: (square(), square("f2")),
    "f8 to f4": lambda: (square(), square("f8")),
    "big-endian f4 to native": lambda: (make((SIDE, SIDE, 4), "u1"), make((SIDE, SIDE, 4), "u1")[:, :, ::-1]),
}


def assign(name):
    to, source = COPIES[name]()

    def act():
        to[...] = source
        queue.wait()

    return act


def copy_bytes(count, allocate):
    to, source = memory.MemoryUSMDevice(count, queue=queue), allocate(count, queue=queue)
    to.memset(1)
    source.memset(1)

    def act():
        queue.memcpy(to, source, count)
        queue.wait()

    return act


def call(method, count):
    blocks = [memory.MemoryUSMDevice(1024, queue=queue) for _ in range(2)]
    memcpy = getattr(queue, method)

    def act():
        for _ in range(count):
            memcpy(*blocks, 1024)
        queue.wait()

    return act


def launch(file, count):
    with open(file, "rb") as module:
        kernel = dpctl.program.create_program_from_spirv(queue, module.read()).get_sycl_kernel("axpy")
    source, to = (memory.MemoryUSMDevice(4, queue=queue) for _ in range(2))
    arguments = [source, to, ctypes.c_float(0), ctypes.c_uint32(1)]

    def act():
        for _ in range(count):
            queue.submit(kernel, arguments, [1])
        queue.wait()

    return act


def prepare(request):
    if "spirv" in request:
        return launch(request["spirv"], request["calls"])
    if "copy" in request:
        return assign(request["copy"])
    if "calls" in request:
        return call(request["method"], request["calls"])
    if "upload" in request:
        return copy_bytes(request["upload"], memory.MemoryUSMHost)
    return copy_bytes(request["memcpy"], memory.MemoryUSMDevice)


prepared = {}
for line in sys.stdin:
    request = json.loads(line)
    if line not in prepared:
        if len(prepared) >= 2:  # a memcpy and a copy take turns
            prepared.clear()
        prepared[line] = prepare(request)
    start = time.perf_counter_ns()
    prepared[line]()
    print((time.perf_counter_ns() - start) / request.get("calls", 1), flush=True)
