"""Calls a CUDA runtime library for pools, other processes and devices, and host functions. Prints answers as JSON.

python3 sharing.py LIBRARY. It starts itself as the other process, with what that needs as further arguments.
"""

import ctypes
import json
import subprocess
import sys
import threading

from library import cudart, malloc, new, ok, read, size, words

FILE_DESCRIPTOR, EXPORTED = 1, 64


def raw(text):
    """Bytes, as a structure by value."""
    return words(*[0] * (len(text) // 16)).__class__.from_buffer_copy(bytes.fromhex(text))


def other_process():
    """Writes what it gets: memory, an event that it waits for, and memory of a pool."""
    memory, event, pool, pointer = sys.argv[2:]
    opened = new("cudaIpcOpenMemHandle", raw(memory), 1)
    happened = new("cudaIpcOpenEventHandle", raw(event))
    ok(cudart.cudaStreamWaitEvent(None, happened, 0))
    got = [read(opened)]
    ok(cudart.cudaMemset(opened, 6, size(4)))
    ok(cudart.cudaDeviceSynchronize())
    ok(cudart.cudaIpcCloseMemHandle(opened))
    imported = new("cudaMemPoolImportFromShareableHandle", ctypes.c_void_p(int(pool)), FILE_DESCRIPTOR, 0)
    got.append(read(new("cudaMemPoolImportPointer", imported, bytes.fromhex(pointer))))
    print(json.dumps(got))


if len(sys.argv) > 2:
    other_process()
    sys.exit()

answers = {}
stream, other = (new("cudaStreamCreateWithFlags", 1) for _ in range(2))

# A pool of its own: what it holds, who reaches it, and memory in stream order.
properties = ctypes.create_string_buffer(88)  # pinned memory of device 0, shared by file descriptors
properties[0] = properties[4] = properties[8] = 1
pool = new("cudaMemPoolCreate", properties)
memory = new("cudaMallocFromPoolAsync", size(EXPORTED), pool, stream)
ok(cudart.cudaMemsetAsync(memory, 7, size(EXPORTED), stream))
ok(cudart.cudaStreamSynchronize(stream))
USED_NOW, THRESHOLD = 7, 4


def held(attribute):
    value = ctypes.c_uint64()
    ok(cudart.cudaMemPoolGetAttribute(pool, attribute, ctypes.byref(value)))
    return value.value


ok(cudart.cudaMemPoolSetAttribute(pool, THRESHOLD, ctypes.byref(ctypes.c_uint64(1 << 20))))
answers["pool"] = [read(memory), held(USED_NOW) >= EXPORTED, held(THRESHOLD)]
place, access = (ctypes.c_int * 2)(1, 1), ctypes.c_int()
rows = (ctypes.c_int * 3)(1, 1, 3)  # device 1 reads and writes
for _ in range(2):
    ok(cudart.cudaMemPoolGetAccess(ctypes.byref(access), pool, place))
    answers["pool"].append(access.value)
    ok(cudart.cudaMemPoolSetAccess(pool, rows, size(1)))
freed = new("cudaMallocFromPoolAsync", size(8), pool, stream)
ok(cudart.cudaFreeAsync(freed, stream))
ok(cudart.cudaStreamSynchronize(stream))
ok(cudart.cudaMemPoolTrimTo(pool, size(0)))
default = ctypes.c_void_p()
ok(cudart.cudaDeviceGetDefaultMemPool(ctypes.byref(default), 0))
ok(cudart.cudaDeviceSetMemPool(0, pool))
current = ctypes.c_void_p()
ok(cudart.cudaDeviceGetMemPool(ctypes.byref(current), 0))
ok(cudart.cudaDeviceSetMemPool(0, default))
answers["pool"].append([current.value == pool.value, default.value == pool.value])

# Another process: reads after the event, and writes.
shared = malloc(8)
event = new("cudaEventCreateWithFlags", 6)  # no timing, for other processes
ok(cudart.cudaMemsetAsync(shared, 5, size(8), stream))
ok(cudart.cudaEventRecord(event, stream))
handles = [ctypes.create_string_buffer(64) for _ in range(3)]
ok(cudart.cudaIpcGetMemHandle(handles[0], shared))
ok(cudart.cudaIpcGetEventHandle(handles[1], event))
descriptor = ctypes.c_int()
ok(cudart.cudaMemPoolExportToShareableHandle(ctypes.byref(descriptor), pool, FILE_DESCRIPTOR, 0))
ok(cudart.cudaMemPoolExportPointer(handles[2], memory))
ok(cudart.cudaEventSynchronize(event))
arguments = [handles[0].raw.hex(), handles[1].raw.hex(), str(descriptor.value), handles[2].raw.hex()]
command = [sys.executable, __file__, sys.argv[1], *arguments]
run = subprocess.run(command, stdout=subprocess.PIPE, pass_fds=[descriptor.value], check=False)
answers["other process"] = [run.returncode, *json.loads(run.stdout or "[]"), read(shared)]

# Another device: access is enabled once and disabled once; copies need none.
can = ctypes.c_int()
ok(cudart.cudaDeviceCanAccessPeer(ctypes.byref(can), 0, 1))
answers["peers"] = [can.value, cudart.cudaDeviceEnablePeerAccess(1, 0), cudart.cudaDeviceEnablePeerAccess(1, 0)]
answers["peers"] += [cudart.cudaDeviceDisablePeerAccess(1), cudart.cudaDeviceDisablePeerAccess(1)]
answers["peers"] += [cudart.cudaDeviceEnablePeerAccess(0, 0), cudart.cudaDeviceEnablePeerAccess(9, 0)]
cudart.cudaGetLastError()
ok(cudart.cudaSetDevice(1))
far = malloc(8)
ok(cudart.cudaMemset(far, 3, size(8)))
ok(cudart.cudaSetDevice(0))
ok(cudart.cudaMemcpyPeer(shared, 0, far, 1, size(4)))
answers["peers"].append(read(shared))
ok(cudart.cudaMemcpyPeerAsync(far, 1, shared, 0, size(8), stream))
SOURCE, TARGET = [0, 0, 0, 0, far.value, 8, 8, 1], [0, 0, 0, 0, shared.value, 8, 8, 1]
box = words(*SOURCE, 1, *TARGET, 0, 2, 1, 1)
ok(cudart.cudaMemset(shared, 1, size(8)))
ok(cudart.cudaStreamSynchronize(stream))
ok(cudart.cudaMemcpy3DPeer(ctypes.byref(box)))
answers["peers"].append(read(shared))

# Host functions: in stream order, on another thread, and without the driver.
seen = []
HOST = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
pinned = new("cudaMallocHost", size(8))


def note(word):
    seen.append([word, ctypes.string_at(pinned, 2).hex(), threading.get_ident() != main])


def forbidden(_):
    note("host function")
    seen.append([cudart.cudaMemset(shared, 0, size(8)), cudart.cudaGetLastError()])


main = threading.get_ident()
host, own = HOST(forbidden), HOST(lambda _: note("own stream"))
callback = CALLBACK(lambda of, status, data: note(["callback", of == stream.value, status, data]))
ok(cudart.cudaMemsetAsync(pinned, 1, size(8), stream))
ok(cudart.cudaLaunchHostFunc(stream, host, None))
ok(cudart.cudaMemsetAsync(pinned, 2, size(8), stream))
ok(cudart.cudaStreamAddCallback(stream, callback, ctypes.c_void_p(9), 0))
ok(cudart.cudaMemsetAsync(pinned, 3, size(8), stream))
ok(cudart.cudaStreamSynchronize(stream))
ok(cudart.cudaLaunchHostFunc_ptsz(None, own, None))
ok(cudart.cudaStreamSynchronize(None))
before = len(seen)
ok(cudart.cudaStreamSynchronize_ptsz(None))
answers["host functions"] = [*seen, len(seen) - before]
print(json.dumps(answers))
