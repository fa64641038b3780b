"""Times the queue's memcpy and dpnp's copies of layouts/random.mjs: JSON a line in, nanoseconds out.

{"memcpy": BYTES}, or {"copy": [TO, FROM]} of both sides. Bytes of a block: argv."""

import json
import sys
import time

import dpctl
import dpctl.memory as memory
import dpnp
from dpnp.tensor import usm_ndarray

queue = dpctl.SyclQueue("cpu", property="in_order")


def block():
    bytes = memory.MemoryUSMDevice(int(sys.argv[1]), queue=queue)
    bytes.memset(1)
    return bytes


blocks = [block(), block()]
others = [block(), block()]


def numbers(usm, side):
    size = dpnp.dtype(side["type"]).itemsize
    strides = [stride // size for stride in side["byteStrides"]]
    return view(usm, side["shape"], side["type"], strides, side["offset"] // size)


def swapped(usm, side, is_reversed):
    """The bytes of each number, of a complex one those of each part: dpnp has no other byte order."""
    type = dpnp.dtype(side["type"][1:])
    parts = 2 if type.kind == "c" else 1
    size = type.itemsize // parts
    shape = [*side["shape"], parts, size]
    strides = [*side["byteStrides"], size, -1 if is_reversed else 1]
    return view(usm, shape, "u1", strides, side["offset"] + (size - 1 if is_reversed else 0))


def view(usm, shape, type, strides, offset):
    array = usm_ndarray(shape, dtype=type, buffer=usm, strides=strides, offset=offset)
    return dpnp.asarray(array)


def sides(request):
    to, source = request
    if source["type"][0] == ">":
        return swapped(blocks[0], to, False), swapped(blocks[1], source, True)
    return numbers(blocks[0], to), numbers(blocks[1], source)


def prepare(request):
    if "memcpy" in request:
        return lambda: queue.memcpy(*others, request["memcpy"])
    to, source = sides(request["copy"])

    def copy():
        to[...] = source

    return copy


for line in sys.stdin:
    act = prepare(json.loads(line))
    start = time.perf_counter_ns()
    act()
    queue.wait()
    print(time.perf_counter_ns() - start, flush=True)
