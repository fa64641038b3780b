"""Copies by cuda.core and the driver of the simulator: a request in JSON a line in, nanoseconds out.

{"download": BYTES} is the driver's memcpy from device to pinned memory, {"calls": COUNT} so many
Buffer.copy_to of 1 KiB, in nanoseconds for each."""

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


def download(count):
    source = device.memory_resource.allocate(count, stream=stream)
    to = LegacyPinnedMemoryResource().allocate(count)
    source.fill(1, stream=stream)
    to.copy_from(source, stream=stream)
    stream.sync()

    def act():
        driver.cuMemcpyDtoHAsync(int(to.handle), int(source.handle), count, int(stream.handle))
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


prepared = {}
for line in sys.stdin:
    request = json.loads(line)
    if line not in prepared:
        prepared[line] = calls(request["calls"]) if "calls" in request else download(request["download"])
    start = time.perf_counter_ns()
    prepared[line]()
    print((time.perf_counter_ns() - start) / request.get("calls", 1), flush=True)
