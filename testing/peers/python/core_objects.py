"""cuda.core's own objects on the simulator; writes one line of JSON."""

import json
import sys

import numpy as np
from cuda.core import (
    Buffer,
    Device,
    DeviceMemoryResource,
    EventOptions,
    LegacyPinnedMemoryResource,
    StreamOptions,
    VirtualMemoryResource,
)

device = Device(0)
device.set_current()
stream = device.create_stream(options=StreamOptions(nonblocking=True))
found = {}

names = [name for name in dir(device.properties) if not name.startswith("_")]
found["properties"] = len([getattr(device.properties, name) for name in names])


class Foreign:
    """Another library's stream."""

    def __cuda_stream__(self):
        return (0, int(stream.handle))


found["foreign stream"] = int(device.create_stream(Foreign()).handle) == int(stream.handle)


def through(resource):
    """Fills memory of a resource on the stream and reads it through pinned memory."""
    there = resource.allocate(64, stream=stream)
    here = LegacyPinnedMemoryResource().allocate(64)
    there.fill(7, stream=stream)
    here.copy_from(there, stream=stream)
    done = stream.record(options=EventOptions(timing_enabled=False))
    done.sync()
    values = np.from_dlpack(here).view("u1").tolist()
    there.close(stream)
    here.close()
    return done.is_done and values == [7] * 64 and isinstance(there, Buffer)


found["device memory"] = through(device.memory_resource)
found["pool"] = through(DeviceMemoryResource(device))

start = stream.record(options=EventOptions(timing_enabled=True))
end = stream.record(options=EventOptions(timing_enabled=True))
end.sync()
found["elapsed"] = end - start >= 0

mapped = VirtualMemoryResource(device).allocate(1 << 21)
mapped.fill(9, stream=stream)
stream.sync()
found["mapped"] = mapped.size == 1 << 21
mapped.close()

json.dump(found, sys.stdout)
