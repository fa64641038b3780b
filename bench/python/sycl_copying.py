"""Copies of 64 MiB by dpctl and dpnp on their own queue: the name of one in, nanoseconds out."""

import json
import sys
import time

import dpctl
import dpctl.memory as memory
import dpnp

SIDE = 4096
BYTES = 4 * SIDE * SIDE

queue = dpctl.SyclQueue("cpu", property="in_order")


def make(shape, dtype="f4"):
    return dpnp.ones(shape, dtype=dtype, sycl_queue=queue)


square = make((SIDE, SIDE))
other = make((SIDE, SIDE))
padded = make((SIDE, SIDE + 64))
row = make((SIDE,))
channels_last = make((2364, 2366, 3))
channels_first = make((3, 2364, 2366))
blocks = [memory.MemoryUSMDevice(BYTES, queue=queue) for _ in range(2)]


def assign(to, source):
    def act():
        to[...] = source
        queue.wait()

    return act


def memcpy():
    queue.memcpy(blocks[0], blocks[1], BYTES)
    queue.wait()


COPIES = {
    "memcpy": memcpy,
    "contiguous": assign(square, other),
    "transposed": assign(square, other.T),
    "padded crop": assign(square, padded[:, :SIDE]),
    "channels last to first": assign(channels_first, channels_last.transpose(2, 0, 1)),
    "reversed": assign(square, other[::-1, ::-1]),
    "broadcast": assign(square, row[None, :]),
}

for line in sys.stdin:
    act = COPIES[json.loads(line)]
    start = time.perf_counter_ns()
    act()
    print(time.perf_counter_ns() - start, flush=True)
