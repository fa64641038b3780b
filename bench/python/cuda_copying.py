"""Copies by cuda.core and the driver: a request in JSON a line in, nanoseconds out.

{"memcpy": BYTES} is the driver's memcpy between device memories, {"download": BYTES} that from device to
pinned memory, {"calls": COUNT} so many Buffer.copy_to of 1 KiB, in nanoseconds for each."""

import json
import os
import sys
import time

os.environ["CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING"] = "1"

from cuda.bindings import driver
from cuda.core import Device, LegacyPinnedMemoryResource

device = Device(0)
device.set_current()
stream = device.create_stream()


def copy_bytes(count, to, memcpy):
    source = device.memory_resource.allocate(count, stream=stream)
    source.fill(1, stream=stream)
    to.copy_from(source, stream=stream)
    stream.sync()

    def act():
        memcpy(int(to.handle), int(source.handle), count, int(stream.handle))
        stream.sync()

    return act


def calls(count):
    source, to = (device.memory_resource.allocate(1024, stream=stream) for _ in range(2))
    source.fill(1, stream=stream)

    def act():
        for _ in range(count):
            source.copy_to(to, stream=stream)
        stream.sync()

    return act


def prepare(request):
    if "calls" in request:
        return calls(request["calls"])
    if "download" in request:
        count = request["download"]
        return copy_bytes(count, LegacyPinnedMemoryResource().allocate(count), driver.cuMemcpyDtoHAsync)
    count = request["memcpy"]
    return copy_bytes(count, device.memory_resource.allocate(count, stream=stream), driver.cuMemcpyDtoDAsync)


prepared = {}
for line in sys.stdin:
    request = json.loads(line)
    if line not in prepared:
        prepared[line] = prepare(request)
    start = time.perf_counter_ns()
    prepared[line]()
    print((time.perf_counter_ns() - start) / request.get("calls", 1), flush=True)
