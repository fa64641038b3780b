"""Calls each function of a CUDA runtime library with null for one pointer at a time, and prints what went wrong.

python3 nulls.py LIBRARY: first each call with all its arguments, which succeeds. Then no null is a crash, and where a
pointer is needed null is an error.
"""

import ctypes
import json
import sys

from library import (
    FROM_HOST,
    MAJOR,
    TO_HOST,
    Dim3,
    LaunchConfig,
    cudart,
    internal,
    malloc,
    new,
    register,
    register_function,
    register_variable,
    size,
    words,
)


class Needed:
    """A pointer that must not be null: its value, or what makes it."""

    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value() if callable(self.value) else self.value


class Optional(Needed):
    """A pointer that may be null."""


areas = []


def area():
    """Memory for answers, which stays."""
    areas.append(ctypes.create_string_buffer(4096))
    return areas[-1]


def bus_id():
    cudart.cudaDeviceGetPCIBusId(area(), 64, 0)
    return areas[-1]


def ended():
    """An event that has happened."""
    made = new("cudaEventCreate")
    cudart.cudaEventRecord(made, new("cudaStreamCreateWithFlags", 1))
    cudart.cudaEventSynchronize(made)
    return made


OUT = Needed(area)
MAYBE = Optional(area)
device = malloc(64)
pinned = new("cudaMallocHost", size(64))
managed = new("cudaMallocManaged", size(1 << 16), 1)
stream = new("cudaStreamCreate")
event = new("cudaEventCreate")
graph = new("cudaGraphCreate", 0)
node = new("cudaGraphAddEmptyNode", graph, None, size(0))
clone = new("cudaGraphClone", graph)
executable = new("cudaGraphInstantiate", graph, ctypes.c_ulonglong(0))
pool_properties = ctypes.create_string_buffer(88)
pool_properties[0] = 1  # pinned
pool_properties[4] = 1  # file descriptors
pool_properties[8] = 1  # of a device
pool = new("cudaMemPoolCreate", pool_properties)
host_function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)
callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(lambda *_: None)
user_object = new("cudaUserObjectCreate", None, host_function, 9, 1)
STREAM, EVENT, GRAPH, NODE, POOL = Optional(stream), Needed(event), Needed(graph), Needed(node), Needed(pool)
DEVICE, EXECUTABLE = Needed(device), Needed(executable)

PTX = b""".version 7.0
.target sm_50
.address_size 64
.visible .global .u32 variable;
.visible .entry kernel(.param .u64 data) { ret; }
"""


binary = register(PTX)
on_host, variable_on_host = ctypes.create_string_buffer(1), ctypes.create_string_buffer(1)
register_function(binary, on_host, b"kernel")
register_variable(binary, variable_on_host, b"variable")
KERNEL, VARIABLE = Needed(on_host), Needed(variable_on_host)
ONE = Dim3(1, 1, 1)
kernel_argument = ctypes.c_void_p(device.value)
ARGUMENTS = Needed((ctypes.c_void_p * 1)(ctypes.addressof(kernel_argument)))
CONFIG = Needed(ctypes.pointer(LaunchConfig(ONE, ONE, 0, None, None, 0)))

# srcArray, srcPos, srcPtr, (srcDevice,) dstArray, dstPos, dstPtr, (dstDevice,) extent, kind
SOURCE, TARGET = [0, 0, 0, 0, device.value, 4, 4, 1], [0, 0, 0, 0, pinned.value, 4, 4, 1]
BOX = Needed(ctypes.pointer(words(*SOURCE, *TARGET, 4, 1, 1, TO_HOST)))
PEER_BOX = Needed(ctypes.pointer(words(*SOURCE, 0, *[0, 0, 0, 0, device.value, 4, 4, 1], 0, 4, 1, 1)))
PLACE = words(1) if MAJOR > 12 else ctypes.c_int(0)
HOST_NODE = Needed(ctypes.pointer(words(ctypes.cast(host_function, ctypes.c_void_p).value, 0)))
FLAGS = ctypes.c_ulonglong(0)
NAME = Needed(ctypes.c_char_p(b"cuInit"))
EMPTY = [Optional(None), size(0)]
EDGES = [Optional(None)] if MAJOR > 12 else []


def captured():
    """A stream that is captured."""
    made = new("cudaStreamCreate")
    cudart.cudaStreamBeginCapture(made, 2)
    return made


def exported():
    """The bytes of memory of a pool."""
    data = area()
    memory = new("cudaMallocFromPoolAsync", size(64), pool, stream)
    cudart.cudaMemPoolExportPointer(data, memory)
    return data


ipc_memory, ipc_event = words(*[0] * 8), words(*[0] * 8)
FAILS = object()  # the call with all arguments, which would need another process or has side effects, is not made

for _ in range(9):
    internal("PushCallConfiguration")(ONE, ONE, size(0), None)

ROWS = {
    "__cudaPopCallConfiguration": [OUT, OUT, OUT, OUT],
    "__cudaGetKernel": [OUT, Optional(on_host)],
    "__cudaLaunchKernel": [KERNEL, ONE, ONE, ARGUMENTS, size(0), STREAM],
    "cudaDriverGetVersion": [OUT],
    "cudaRuntimeGetVersion": [OUT],
    "cudaGetDeviceCount": [OUT],
    "cudaGetDevice": [OUT],
    "cudaDeviceGetAttribute": [OUT, 1, 0],
    "cudaGetDeviceProperties": [OUT, 0],
    "cudaGetDeviceProperties_v2": [OUT, 0],
    "cudaChooseDevice": [OUT, OUT],
    "cudaDeviceGetLimit": [OUT, 0],
    "cudaDeviceGetCacheConfig": [OUT],
    "cudaDeviceGetSharedMemConfig": [OUT],
    "cudaDeviceGetStreamPriorityRange": [MAYBE, MAYBE],
    "cudaGetDeviceFlags": [OUT],
    "cudaDeviceGetPCIBusId": [OUT, 64, 0],
    "cudaDeviceGetByPCIBusId": [OUT, Needed(bus_id)],
    "cudaDeviceCanAccessPeer": [OUT, 0, 1],
    "cudaDeviceGetP2PAttribute": [OUT, 2, 0, 1],
    "cudaDeviceGetDefaultMemPool": [OUT, 0],
    "cudaDeviceGetMemPool": [OUT, 0],
    "cudaDeviceSetMemPool": [0, POOL],
    "cudaGetDriverEntryPoint": [NAME, OUT, FLAGS, MAYBE],
    "cudaGetDriverEntryPointByVersion": [NAME, OUT, 12000, FLAGS, MAYBE],
    "cudaGraphCreate": [OUT, 0],
    "cudaGraphClone": [OUT, GRAPH],
    "cudaGraphDestroy": [Needed(lambda: new("cudaGraphCreate", 0))],
    "cudaGraphGetNodes": [GRAPH, MAYBE, OUT],
    "cudaGraphGetRootNodes": [GRAPH, MAYBE, OUT],
    "cudaGraphNodeGetType": [NODE, OUT],
    "cudaGraphNodeFindInClone": [OUT, NODE, Needed(clone)],
    "cudaGraphDestroyNode": [Needed(lambda: new("cudaGraphAddEmptyNode", graph, None, size(0)))],
    "cudaGraphAddEmptyNode": [OUT, GRAPH, *EMPTY],
    "cudaGraphAddChildGraphNode": [OUT, GRAPH, *EMPTY, Needed(lambda: new("cudaGraphCreate", 0))],
    "cudaGraphAddHostNode": [OUT, GRAPH, *EMPTY, HOST_NODE],
    "cudaGraphAddEventRecordNode": [OUT, GRAPH, *EMPTY, EVENT],
    "cudaGraphAddEventWaitNode": [OUT, GRAPH, *EMPTY, EVENT],
    "cudaGraphAddDependencies": [GRAPH, *[Optional(None)] * 2, *EDGES, size(0)],
    "cudaGraphInstantiate": [OUT, GRAPH, FLAGS],
    "cudaGraphInstantiateWithFlags": [OUT, GRAPH, FLAGS],
    "cudaGraphInstantiateWithParams": [OUT, GRAPH, OUT],
    "cudaGraphUpload": [EXECUTABLE, STREAM],
    "cudaGraphLaunch": [EXECUTABLE, STREAM],
    "cudaGraphExecDestroy": [Needed(lambda: new("cudaGraphInstantiate", graph, FLAGS))],
    "cudaGraphExecGetFlags": [EXECUTABLE, OUT],
    "cudaGraphExecUpdate": [EXECUTABLE, Needed(clone), MAYBE],
    "cudaGraphDebugDotPrint": [GRAPH, Needed(ctypes.c_char_p(b"/dev/null")), 0],
    "cudaUserObjectCreate": [OUT, Optional(None), Needed(lambda: host_function), 1, 1],
    "cudaUserObjectRetain": [Needed(user_object), 1],
    "cudaUserObjectRelease": [Needed(user_object), 1],
    "cudaGraphRetainUserObject": [GRAPH, Needed(user_object), 1, 0],
    "cudaGraphReleaseUserObject": [GRAPH, Needed(user_object), 1],
    "cudaLaunchKernel": [KERNEL, ONE, ONE, ARGUMENTS, size(0), STREAM],
    "cudaLaunchCooperativeKernel": [KERNEL, ONE, ONE, ARGUMENTS, size(0), STREAM],
    "cudaLaunchKernelExC": [CONFIG, KERNEL, ARGUMENTS],
    "cudaGetFuncBySymbol": [OUT, KERNEL],
    "cudaFuncGetAttributes": [OUT, KERNEL],
    "cudaFuncSetAttribute": [KERNEL, 8, 0],
    "cudaFuncSetCacheConfig": [KERNEL, 0],
    "cudaFuncSetSharedMemConfig": [KERNEL, 0],
    "cudaFuncGetName": [OUT, KERNEL],
    "cudaFuncGetParamInfo": [KERNEL, size(0), MAYBE, MAYBE],
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor": [OUT, KERNEL, 32, size(0)],
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": [OUT, KERNEL, 32, size(0), 0],
    "cudaOccupancyAvailableDynamicSMemPerBlock": [OUT, KERNEL, 1, 32],
    "cudaGetSymbolAddress": [OUT, VARIABLE],
    "cudaGetSymbolSize": [OUT, VARIABLE],
    "cudaMemcpyToSymbol": [VARIABLE, Needed(pinned), size(4), size(0), FROM_HOST],
    "cudaMemcpyToSymbolAsync": [VARIABLE, Needed(pinned), size(4), size(0), FROM_HOST, STREAM],
    "cudaMemcpyFromSymbol": [Needed(pinned), VARIABLE, size(4), size(0), TO_HOST],
    "cudaMemcpyFromSymbolAsync": [Needed(pinned), VARIABLE, size(4), size(0), TO_HOST, STREAM],
    "cudaMalloc": [OUT, size(8)],
    "cudaMallocHost": [OUT, size(8)],
    "cudaHostAlloc": [OUT, size(8), 0],
    "cudaMallocManaged": [OUT, size(8), 1],
    "cudaMallocPitch": [OUT, OUT, size(8), size(8)],
    "cudaMalloc3D": [OUT, words(8, 1, 1)],
    "cudaFree": [Optional(lambda: malloc(8))],
    "cudaFreeHost": [Optional(lambda: new("cudaMallocHost", size(8)))],
    "cudaHostRegister": [OUT, size(8), 0],
    "cudaHostUnregister": [Needed(None), FAILS],
    "cudaHostGetDevicePointer": [OUT, Needed(pinned), 0],
    "cudaHostGetFlags": [OUT, Needed(pinned)],
    "cudaMemGetInfo": [OUT, OUT],
    "cudaPointerGetAttributes": [OUT, Optional(device)],
    "cudaMemcpy": [Needed(pinned), DEVICE, size(8), TO_HOST],
    "cudaMemcpyAsync": [Needed(pinned), DEVICE, size(8), TO_HOST, STREAM],
    "cudaMemcpy2D": [Needed(pinned), size(8), DEVICE, size(8), size(8), size(2), TO_HOST],
    "cudaMemcpy2DAsync": [Needed(pinned), size(8), DEVICE, size(8), size(8), size(2), TO_HOST, STREAM],
    "cudaMemcpy3D": [BOX],
    "cudaMemcpy3DAsync": [BOX, STREAM],
    "cudaMemcpy3DPeer": [PEER_BOX],
    "cudaMemcpy3DPeerAsync": [PEER_BOX, STREAM],
    "cudaMemcpyPeer": [DEVICE, 0, DEVICE, 0, size(8)],
    "cudaMemcpyPeerAsync": [DEVICE, 0, DEVICE, 0, size(8), STREAM],
    "cudaMemset": [DEVICE, 0, size(8)],
    "cudaMemsetAsync": [DEVICE, 0, size(8), STREAM],
    "cudaMemset2D": [DEVICE, size(8), 0, size(8), size(2)],
    "cudaMemset2DAsync": [DEVICE, size(8), 0, size(8), size(2), STREAM],
    "cudaMemPrefetchAsync": [Needed(managed), size(8), PLACE, *([0] if MAJOR > 12 else []), STREAM],
    "cudaMemAdvise": [Needed(managed), size(8), 1, PLACE],
    "cudaMemRangeGetAttribute": [OUT, size(4), 1, Needed(managed), size(8)],
    "cudaMemRangeGetAttributes": [
        Needed((ctypes.c_void_p * 1)(ctypes.addressof(area()))),
        Needed((ctypes.c_size_t * 1)(4)),
        Needed((ctypes.c_int * 1)(1)),
        size(1),
        Needed(managed),
        size(8),
    ],
    "cudaMallocAsync": [OUT, size(8), STREAM],
    "cudaMallocFromPoolAsync": [OUT, size(8), POOL, STREAM],
    "cudaFreeAsync": [Optional(lambda: new("cudaMallocAsync", size(8), stream)), STREAM],
    "cudaMemPoolCreate": [OUT, Needed(pool_properties)],
    "cudaMemPoolDestroy": [Needed(lambda: new("cudaMemPoolCreate", pool_properties))],
    "cudaMemPoolTrimTo": [POOL, size(0)],
    "cudaMemPoolSetAttribute": [POOL, 1, OUT],
    "cudaMemPoolGetAttribute": [POOL, 1, OUT],
    "cudaMemPoolSetAccess": [POOL, Needed((ctypes.c_int * 3)(1, 0, 3)), size(1)],
    "cudaMemPoolGetAccess": [OUT, POOL, Needed((ctypes.c_int * 2)(1, 0))],
    "cudaMemPoolExportToShareableHandle": [OUT, POOL, 1, 0],
    "cudaMemPoolImportFromShareableHandle": [OUT, Needed(None), 1, 0, FAILS],
    "cudaMemPoolExportPointer": [OUT, Needed(lambda: new("cudaMallocFromPoolAsync", size(8), pool, stream))],
    "cudaMemPoolImportPointer": [OUT, POOL, Needed(exported), FAILS],
    "cudaIpcGetMemHandle": [OUT, DEVICE],
    "cudaIpcOpenMemHandle": [OUT, ipc_memory, 1, FAILS],
    "cudaIpcCloseMemHandle": [Needed(None), FAILS],
    "cudaStreamCreate": [OUT],
    "cudaStreamCreateWithFlags": [OUT, 0],
    "cudaStreamCreateWithPriority": [OUT, 0, 0],
    "cudaStreamDestroy": [Needed(lambda: new("cudaStreamCreate"))],
    "cudaStreamWaitEvent": [STREAM, EVENT, 0],
    "cudaStreamGetFlags": [STREAM, OUT],
    "cudaStreamGetPriority": [STREAM, OUT],
    "cudaStreamGetId": [STREAM, OUT],
    "cudaStreamGetDevice": [STREAM, OUT],
    "cudaStreamGetAttribute": [STREAM, 3, OUT],
    "cudaStreamSetAttribute": [STREAM, 3, Needed(lambda: (ctypes.c_int * 16)(1))],
    "cudaStreamAttachMemAsync": [STREAM, Needed(managed), size(0), 4],
    "cudaStreamAddCallback": [STREAM, Needed(lambda: callback), Optional(None), 0],
    "cudaLaunchHostFunc": [STREAM, Needed(lambda: host_function), Optional(None)],
    "cudaStreamBeginCapture": [Needed(lambda: new("cudaStreamCreate")), 2],
    "cudaStreamBeginCaptureToGraph": [
        Needed(lambda: new("cudaStreamCreate")),
        GRAPH,
        *[Optional(None)] * 2,
        size(0),
        2,
    ],
    "cudaStreamEndCapture": [Needed(captured), OUT],
    "cudaStreamIsCapturing": [STREAM, OUT],
    "cudaStreamGetCaptureInfo": [STREAM, OUT, *[MAYBE] * (5 if MAJOR > 12 else 1)],
    "cudaStreamGetCaptureInfo_v2": [STREAM, OUT, *[MAYBE] * 4],
    "cudaStreamUpdateCaptureDependencies": [Needed(captured), Optional(None), *EDGES, size(0), 1],
    "cudaThreadExchangeStreamCaptureMode": [Needed(lambda: (ctypes.c_int * 1)(1))],
    "cudaEventCreate": [OUT],
    "cudaEventCreateWithFlags": [OUT, 0],
    "cudaEventDestroy": [Needed(lambda: new("cudaEventCreate"))],
    "cudaEventRecord": [EVENT, STREAM],
    "cudaEventRecordWithFlags": [EVENT, STREAM, 0],
    "cudaEventQuery": [Needed(ended)],
    "cudaEventSynchronize": [EVENT],
    "cudaEventElapsedTime": [OUT, Needed(ended), Needed(ended)],
    "cudaIpcGetEventHandle": [OUT, Needed(lambda: new("cudaEventCreateWithFlags", 6))],
    "cudaIpcOpenEventHandle": [OUT, ipc_event, FAILS],
}


def given(arguments, absent=None):
    """What a call gets, with null at one place."""
    kept = [argument for argument in arguments if argument is not FAILS]
    values = [None if i == absent else a.get() if isinstance(a, Needed) else a for i, a in enumerate(kept)]
    return [ctypes.c_longlong(value) if isinstance(value, int) else value for value in values]


problems = []
for name, arguments in ROWS.items():
    function = getattr(cudart, name, None)
    if function is None:
        continue
    print(name, file=sys.stderr, flush=True)  # a crash shows after which line
    if FAILS not in arguments:
        status = function(*given(arguments))
        if status != 0:
            problems.append(f"{name} with all arguments: {status}")
        cudart.cudaDeviceSynchronize()
    for index, argument in enumerate(arguments):
        if not isinstance(argument, Needed):
            continue
        status = function(*given(arguments, index))
        if status == 0 and not isinstance(argument, Optional):
            problems.append(f"{name} with null at {index}")
        cudart.cudaDeviceSynchronize()

# What a compiler's code calls says nothing of an error.
empty, unknown = ctypes.c_void_p(internal("RegisterFatBinary")(None)), ctypes.create_string_buffer(1)
for handle in (None, empty):
    register_function(handle, unknown, None)
    register_variable(handle, unknown, None)
    register_function(handle, unknown, b"kernel")
    register_variable(handle, unknown, b"variable")
    problems += [function for function, status in (
        ("cudaLaunchKernel", cudart.cudaLaunchKernel(unknown, ONE, ONE, None, size(0), None)),
        ("cudaGetSymbolAddress", cudart.cudaGetSymbolAddress(area(), unknown)),
    ) if status == 0]
    internal("UnregisterFatBinary")(handle)
print(json.dumps({"called": sorted(ROWS), "problems": problems}))
