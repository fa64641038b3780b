"""Copies by cuda.core and the driver of the simulator: a request in JSON a line in, nanoseconds out.

{"download": BYTES} is the driver's memcpy from device to pinned memory, {"calls": COUNT} so many
Buffer.copy_to of 1 KiB, {"calls": COUNT, "ptx": FILE} so many launches of its axpy, in nanoseconds for
each."""

import json
import os
import sys
import time

os.environ["CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING"] = "1"

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, ObjectCode, launch

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


def launches(file, count):
    with open(file, "rb") as code:
        kernel = ObjectCode.from_ptx(code.read()).get_kernel("axpy")
    source, to = (device.memory_resource.allocate(4, stream=stream) for _ in range(2))
    config = LaunchConfig(grid=1, block=1)

    def act():
        for _ in range(count):
            launch(stream, config, kernel, source, to, np.float32(0), np.uint32(1))
        stream.sync()

    return act


def prepare(request):
    if "ptx" in request:
        return launches(request["ptx"], request["calls"])
    return calls(request["calls"]) if "calls" in request else download(request["download"])


prepared = {}
for line in sys.stdin:
    request = json.loads(line)
    if line not in prepared:
        prepared[line] = prepare(request)
    start = time.perf_counter_ns()
    prepared[line]()
    print((time.perf_counter_ns() - start) / request.get("calls", 1), flush=True)
