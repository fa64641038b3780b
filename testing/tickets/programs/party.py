"""One of several processes that share arrays. test/party.ts sends it requests, a line of JSON each."""

import contextlib
import ctypes
import itertools
import json
import os
import sys
import threading

import array_interface
import numpy
from array_interface._driver import driver

#: More elements than this are opened and not read.
MOST = 4096
kept = []
held = []
ended = threading.Event()


def share(byteLength, backend):
    memory = array_interface.empty(byteLength, "|u1")
    memory.numpy()[...] = numpy.arange(byteLength) % 256
    ticket = array_interface.share(memory)
    kept.extend((memory, ticket))
    return ticket


def opened(ticket, user=None):
    """The bytes of a ticket's elements in C order; None if there are too many."""
    with array_interface.open_ticket(ticket, user=user) as array:
        if numpy.prod(array.shape, dtype=object) > MOST:
            return None
        if isinstance(array, array_interface.HostArray):
            return array.numpy().tobytes().hex()
        return b"".join(device_elements(array)).hex()


def device_elements(array):
    interface = array.__cuda_array_interface__
    itemsize = numpy.dtype(array.typestr).itemsize
    element = ctypes.create_string_buffer(itemsize)
    with driver().on(array.device):
        driver().synchronize()
        for index in itertools.product(*map(range, array.shape)):
            offset = sum(step * stride for step, stride in zip(index, array.strides))
            address = ctypes.c_uint64(interface["data"][0] + offset)
            driver()._call("cuMemcpyDtoH_v2", element, address, ctypes.c_size_t(itemsize))
            yield element.raw


def keep(ticket):
    """Opens a ticket and keeps it open, until let_go."""
    held.append(array_interface.open_ticket(ticket))


def let_go():
    while held:
        held.pop().close()


def holds(path):
    """Whether this process has a file open, given its path."""
    wanted = os.stat(path)
    return any(is_file(f"/proc/self/fd/{number}", wanted) for number in os.listdir("/proc/self/fd"))


def is_file(path, wanted):
    with contextlib.suppress(OSError):
        return os.path.samestat(os.stat(path), wanted)
    return False


def thread():
    """The number of a thread other than the first."""
    started = threading.Thread(target=ended.wait, daemon=True)
    started.start()
    return started.native_id


answers = {"share": share, "open": opened, "thread": thread, "keep": keep, "letGo": let_go, "holds": holds}
for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = {"answer": answers[request.pop("name")](**request)}
    except array_interface.TicketError as error:
        reply = {"error": {"code": "ERR_TICKET", "path": error.path, "message": str(error)}}
    except Exception as error:
        reply = {"error": {"code": type(error).__name__, "path": None, "message": str(error)}}
    print(json.dumps(reply), flush=True)
