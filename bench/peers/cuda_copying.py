"""Times copies and launches by cuda.core and the driver of the simulator.

{"download": BYTES} is the driver's memcpy from device to pinned memory, {"calls": COUNT} so many
Buffer.copy_to of 1 KiB, {"calls": COUNT, "ptx": FILE} so many launches of its axpy."""

import os
from functools import partial

os.environ["CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING"] = "1"

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, ObjectCode, launch
from timed_work import answer

device = Device(0)
device.set_current()
stream = device.create_stream()


def download(count):
    source = device.memory_resource.allocate(count, stream=stream)
    to = LegacyPinnedMemoryResource().allocate(count)
    source.fill(1, stream=stream)
    to.copy_from(source, stream=stream)
    stream.sync()
    return lambda: driver.cuMemcpyDtoHAsync(int(to.handle), int(source.handle), count, int(stream.handle))


def call():
    source, to = (device.memory_resource.allocate(1024, stream=stream) for _ in range(2))
    source.fill(1, stream=stream)
    return partial(source.copy_to, to, stream=stream)


def launches(file):
    with open(file, "rb") as code:
        kernel = ObjectCode.from_ptx(code.read()).get_kernel("axpy")
    source, to = (device.memory_resource.allocate(4, stream=stream) for _ in range(2))
    config = LaunchConfig(grid=1, block=1)
    return lambda: launch(stream, config, kernel, source, to, np.float32(0), np.uint32(1))


def prepare(request):
    if "ptx" in request:
        return launches(request["ptx"])
    return download(request["download"]) if "download" in request else call()


answer(prepare, stream.sync)
