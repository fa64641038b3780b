"""Arrays of Numba in Node's process, and what Numba makes of Node's."""

import os

os.environ["CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING"] = "1"

import numpy as np
from cuda.core import Device
from cuda.core.utils import StridedMemoryView
from numba import cuda
from support.messages import answer
from support.producers import exposed

_kept = {}  # by number: whatever Node was told of


def _keep(thing):
    number = len(_kept)
    _kept[number] = thing
    return number


def to_device(values):
    """An array on Numba's default stream, as a simple program creates it, and its dict."""
    array = cuda.to_device(np.array(values, dtype="f4"))
    return {"object": _keep(array), "interface": array.__cuda_array_interface__}


def as_cuda_array(interface):
    """What Numba makes of Node's dict, and the stream on which its work then runs."""
    array = cuda.as_cuda_array(exposed("__cuda_array_interface__", interface))
    return {"object": _keep(array), "stream": int(array.stream) if array.stream else None}


def copy_on_its_stream(number):
    """Enqueues a copy of the array, on the stream that its dict named; does not wait."""
    array = _kept[number]
    copy = cuda.device_array(array.shape, array.dtype)
    copy.copy_to_device(array, stream=array.stream)
    return _keep(copy)


def view_with_core(interface):
    """The values, as cuda.core reads them on a stream of its own."""
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    producer = exposed("__cuda_array_interface__", interface)
    view = StridedMemoryView.from_cuda_array_interface(producer, stream_ptr=int(stream.handle))
    values = np.empty(view.shape, view.dtype)
    own = cuda.external_stream(int(stream.handle))
    cuda.as_cuda_array(exposed("__cuda_array_interface__", {**interface, "stream": None})).copy_to_host(values, stream=own)
    own.synchronize()
    return values.tolist()


def values_of(number):
    """What Numba reads there, once all that it enqueued has ended."""
    cuda.synchronize()
    return _kept[number].copy_to_host().tolist()


_operations = (to_device, as_cuda_array, copy_on_its_stream, view_with_core, values_of)


def respond(line):
    return answer(_operations, line)
