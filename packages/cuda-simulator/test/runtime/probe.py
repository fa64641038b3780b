"""Calls a CUDA runtime library through ctypes and prints what it answered, as JSON.

python3 probe.py LIBRARY: the library is libcudart.so.12 or .13 of the simulator.
"""

import ctypes
import json
import threading

from library import (
    BY_ADDRESS,
    FROM_HOST,
    MAJOR,
    ON_DEVICE,
    TO_HOST,
    Dim3,
    LaunchConfig,
    copy,
    cudart,
    internal,
    malloc,
    new,
    ok,
    read,
    register,
    register_function,
    register_variable,
    size,
)

answers = {}


class PitchedPtr(ctypes.Structure):
    _fields_ = [("ptr", ctypes.c_void_p)] + [(name, ctypes.c_size_t) for name in ("pitch", "xsize", "ysize")]


class Triple(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "xyz"]


class Box(ctypes.Structure):
    _fields_ = [
        ("srcArray", ctypes.c_void_p),
        ("srcPos", Triple),
        ("srcPtr", PitchedPtr),
        ("dstArray", ctypes.c_void_p),
        ("dstPos", Triple),
        ("dstPtr", PitchedPtr),
        ("extent", Triple),
        ("kind", ctypes.c_int),
    ]


class Pointer(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("device", ctypes.c_int),
        ("devicePointer", ctypes.c_void_p),
        ("hostPointer", ctypes.c_void_p),
        ("reserved", ctypes.c_long * 8),
    ]


def text(function, error):
    function.restype = ctypes.c_char_p
    return function(error).decode()


# Versions, devices, properties at the places where the programs compiled for this major look.
version = ctypes.c_int()
ok(cudart.cudaRuntimeGetVersion(ctypes.byref(version)))
answers["version"] = version.value
device = ctypes.c_int(7)
ok(cudart.cudaGetDevice(ctypes.byref(device)))
answers["device"] = device.value
properties = ctypes.create_string_buffer(4096)
get_properties = cudart.cudaGetDeviceProperties if MAJOR > 12 else cudart.cudaGetDeviceProperties_v2
ok(get_properties(properties, 0))
at = lambda offset: int.from_bytes(properties.raw[offset : offset + 4], "little")  # noqa: E731
offsets = {"warpSize": 308, "major": 360, "multiProcessorCount": 388, "asyncEngineCount": 600, "ipcEventSupported": 768}
if MAJOR > 12:
    offsets.update(multiProcessorCount=384, asyncEngineCount=584, ipcEventSupported=744)
answers["properties"] = {name: at(offset) for name, offset in offsets.items()}

# A device that is only initialised is not the thread's; its flags are kept.
answers["initialised"] = [cudart.cudaInitDevice(*given) for given in ((5, 0, 0), (1, 4, 2), (1, 4, 1))]
cudart.cudaGetLastError()
flags = ctypes.c_uint()
ok(cudart.cudaGetDevice(ctypes.byref(device)))
ok(cudart.cudaSetDevice(1))
ok(cudart.cudaGetDeviceFlags(ctypes.byref(flags)))
ok(cudart.cudaSetDevice(0))
answers["initialised"] += [device.value, flags.value]

# Errors: of this thread alone, kept until asked for.
answers["set"] = cudart.cudaSetDevice(5)
others = []
thread = threading.Thread(target=lambda: others.append(cudart.cudaPeekAtLastError()))
thread.start()
thread.join()
answers["errors"] = [cudart.cudaPeekAtLastError(), others[0], cudart.cudaGetLastError(), cudart.cudaGetLastError()]
answers["names"] = [text(cudart.cudaGetErrorName, 101), text(cudart.cudaGetErrorName, 98)]
answers["text"] = text(cudart.cudaGetErrorString, 2)

unknown = text(cudart.cudaGetErrorString, 12345)
numbers = [number for number in range(1000) if text(cudart.cudaGetErrorName, number) != unknown]
untold = [number for number in numbers if text(cudart.cudaGetErrorString, number) == unknown]
answers["texts"] = [unknown, len(numbers), untold]

# A device for each thread.
ok(cudart.cudaSetDevice(1))
here, there = ctypes.c_int(), ctypes.c_int()
thread = threading.Thread(target=lambda: cudart.cudaGetDevice(ctypes.byref(there)))
thread.start()
thread.join()
ok(cudart.cudaGetDevice(ctypes.byref(here)))
answers["devices"] = [here.value, there.value]
ok(cudart.cudaSetDevice(0))

# Copies with kinds, also wrong ones.
a, b = malloc(64), malloc(64)
ok(copy(a, bytes(range(64)), 64, FROM_HOST))
ok(copy(b, a, 64, ON_DEVICE))
answers["copied"] = read(b)
answers["kinds"] = [copy(b, a, 64, FROM_HOST), copy(b, a, 64, 9), copy(b, a, 64, BY_ADDRESS)]
cudart.cudaGetLastError()
ok(cudart.cudaMemset(b, 0, size(64)))
sizes = [size(number) for number in (4, 8, 2, 3)]
ok(cudart.cudaMemcpy2D(b, sizes[0], a, sizes[1], sizes[2], sizes[3], ON_DEVICE))
answers["rows"] = read(b, 12)
box = Box(
    srcPtr=PitchedPtr(a.value, 4, 4, 4),
    srcPos=Triple(1, 1, 1),
    dstPtr=PitchedPtr(b.value, 2, 2, 2),
    extent=Triple(2, 2, 2),
    kind=ON_DEVICE,
)
ok(cudart.cudaMemcpy3D(ctypes.byref(box)))
answers["box"] = read(b)

# What kind of memory it is.
pinned = new("cudaMallocHost", size(64))
managed = new("cudaMallocManaged", size(64), 1)
types = []
for pointer in (ctypes.c_void_p(id(answers)), pinned, a, managed):
    told = Pointer()
    ok(cudart.cudaPointerGetAttributes(ctypes.byref(told), pointer))
    types.append(told.type)
answers["types"] = types

# Streams: a missing wait shows; per-thread names take the thread's own stream.
producer, consumer = (new("cudaStreamCreateWithFlags", 1) for _ in range(2))
event = new("cudaEventCreateWithFlags", 2)
ok(cudart.cudaMemset(a, 0, size(8)))
ok(cudart.cudaDeviceSynchronize())
ok(cudart.cudaMemsetAsync(a, 5, size(8), producer))
ok(cudart.cudaEventRecord(event, producer))
answers["unwaited"] = read(a, 8, consumer)
ok(cudart.cudaStreamWaitEvent(consumer, event, 0))
answers["waited"] = read(a, 8, consumer)
ok(cudart.cudaMemsetAsync_ptsz(a, 6, size(8), None))
answers["own stream"] = [cudart.cudaStreamQuery(None), cudart.cudaStreamQuery_ptsz(None)]
cudart.cudaGetLastError()
ok(cudart.cudaStreamSynchronize_ptsz(None))

# So do the synchronous forms. They wait where the host reaches the memory, and for device memory do not.
ok(cudart.cudaDeviceSynchronize())
ctypes.memset(pinned, 1, 64)
ok(cudart.cudaMemset_ptds(pinned, 2, size(8)))
answers["pinned"] = [ctypes.string_at(pinned, 10).hex()]
ok(cudart.cudaMemset2D_ptds(pinned, size(4), 3, size(2), size(2)))
answers["pinned"].append(ctypes.string_at(pinned, 8).hex())
ok(cudart.cudaMemset3D_ptds(PitchedPtr(pinned.value, 2, 2, 2), 4, Triple(1, 2, 2)))
answers["pinned"].append(ctypes.string_at(pinned, 8).hex())
ok(cudart.cudaMemset_ptds(a, 7, size(64)))
answers["own fill"] = [read(a, 8, consumer), cudart.cudaStreamQuery(None), cudart.cudaStreamQuery_ptsz(None)]
cudart.cudaGetLastError()
ok(cudart.cudaMemcpy2D_ptds(pinned, sizes[0], a, sizes[1], sizes[2], sizes[3], TO_HOST))
answers["own copies"] = [ctypes.string_at(pinned, 10).hex()]
ok(cudart.cudaMemsetAsync_ptsz(a, 8, size(64), None))
box.dstPtr.ptr, box.kind = pinned.value, TO_HOST
ok(cudart.cudaMemcpy3D_ptds(ctypes.byref(box)))
answers["own copies"].append(ctypes.string_at(pinned, 8).hex())
ok(cudart.cudaMemsetAsync_ptsz(a, 9, size(64), None))
ok(cudart.cudaMemcpy_ptds(pinned, a, size(8), TO_HOST))
answers["own copies"].append(ctypes.string_at(pinned, 8).hex())

# Copies between devices leave no context retained.
driver = ctypes.CDLL("libcuda.so.1")
ok(cudart.cudaSetDevice(1))
other = malloc(8)
retained = driver.simcuda_calls(b"cuDevicePrimaryCtxRetain")
ok(cudart.cudaMemcpyPeer(other, 1, a, 0, size(8)))
ok(cudart.cudaMemcpyPeerAsync(a, 0, other, 1, size(8), None))
answers["retained"] = driver.simcuda_calls(b"cuDevicePrimaryCtxRetain") - retained
ok(cudart.cudaSetDevice(0))

# The driver's functions, of the version of this library and for the default stream that the program is compiled for.
points = [ctypes.c_void_p(), ctypes.c_void_p()]
for get, point in zip((cudart.cudaGetDriverEntryPoint, cudart.cudaGetDriverEntryPoint_ptsz), points):
    ok(get(b"cuStreamQuery", ctypes.byref(point), ctypes.c_ulonglong(0), None))
name, found = ctypes.c_void_p(), ctypes.c_int()
newer = b"cuFuncGetParamInfo"
ok(cudart.cudaGetDriverEntryPoint(newer, ctypes.byref(name), ctypes.c_ulonglong(0), ctypes.byref(found)))
answers["newer entry point"] = [name.value is not None, found.value]
ok(cudart.cudaMemsetAsync_ptsz(a, 9, size(8), None))
query = [ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(point.value) for point in points]
answers["entry points"] = [call(None) for call in query]
ok(cudart.cudaStreamSynchronize_ptsz(None))

# Graphs by capture; only a thread's own default stream can be captured.
answers["captured"] = [cudart.cudaStreamBeginCapture(None, 2), cudart.cudaStreamBeginCapture_ptsz(None, 2)]
status = ctypes.c_int()
ok(cudart.cudaStreamIsCapturing_ptsz(None, ctypes.byref(status)))
ok(cudart.cudaMemsetAsync_ptsz(a, 4, size(8), None))
graph = ctypes.c_void_p()
ok(cudart.cudaStreamEndCapture_ptsz(None, ctypes.byref(graph)))
executable = new("cudaGraphInstantiate", graph, ctypes.c_ulonglong(0))
ok(cudart.cudaGraphUpload_ptsz(executable, None))
ok(cudart.cudaGraphLaunch_ptsz(executable, None))
ok(cudart.cudaMemcpy_ptds(pinned, a, size(8), TO_HOST))
answers["captured"] += [status.value, ctypes.string_at(pinned, 8).hex()]
cudart.cudaGetLastError()
ok(cudart.cudaStreamBeginCapture(producer, 2))
ok(cudart.cudaMemsetAsync(a, 9, size(8), producer))
ok(cudart.cudaStreamEndCapture(producer, ctypes.byref(graph)))
executable = new("cudaGraphInstantiate", graph, ctypes.c_ulonglong(0))
before = read(a, 8, producer)
ok(cudart.cudaGraphLaunch(executable, producer))
answers["graph"] = [before, read(a, 8, producer)]

# Kernels and variables by the addresses of what stands for them on the host.
PTX = b""".version 7.0
.target sm_50
.address_size 64
.visible .global .u32 more = 10;
.visible .entry add(.param .u64 data)
{
  .reg .b32 %r<4>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [data]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d2, %d0, %d1;
  ld.global.u32 %r1, [%d2]; ld.global.u32 %r2, [more]; add.u32 %r3, %r1, %r2; st.global.u32 [%d2], %r3;
  ret;
}
"""
binary = register(PTX)
host_kernel, host_more, host_other = (ctypes.create_string_buffer(1) for _ in range(3))
register_function(binary, host_kernel, b"add")
register_variable(binary, host_more, b"more")
internal("RegisterFatBinaryEnd")(binary)
ok(cudart.cudaMemset(a, 0, size(8)))
argument = ctypes.c_void_p(a.value)
arguments = (ctypes.c_void_p * 1)(ctypes.addressof(argument))


def launch(function, by=cudart.cudaLaunchKernel, grid=(1, 1, 1), block=(2, 1, 1)):
    return by(function, Dim3(*grid), Dim3(*block), arguments, size(0), ctypes.c_void_p())


ok(launch(host_kernel))
ok(cudart.cudaMemcpyToSymbol(host_more, b"\x05\0\0\0", size(4), size(0), FROM_HOST))
ok(launch(host_kernel))
answers["kernel"] = read(a)
if MAJOR >= 13:  # how compiled programs launch from then on
    kernel = ctypes.c_void_p()
    ok(internal("GetKernel")(ctypes.byref(kernel), host_kernel))
    ok(launch(kernel, internal("LaunchKernel")))
    answers["kernel"] = read(a)

# On the thread's own stream: launches, and copies of variables.
config = LaunchConfig(Dim3(1, 1, 1), Dim3(2, 1, 1), 0, None, None, 0)
own = ctypes.create_string_buffer(4)
ok(launch(host_kernel, cudart.cudaLaunchCooperativeKernel_ptsz))
answers["own launches"] = [cudart.cudaStreamQuery(None), cudart.cudaStreamQuery_ptsz(None)]
ok(cudart.cudaMemcpyToSymbol_ptds(host_more, b"\x07\0\0\0", size(4), size(0), FROM_HOST))
ok(cudart.cudaLaunchKernelExC_ptsz(ctypes.byref(config), host_kernel, arguments))
ok(cudart.cudaMemcpyFromSymbol_ptds(own, host_more, size(4), size(0), TO_HOST))
ok(cudart.cudaMemcpy_ptds(pinned, a, size(8), TO_HOST))
answers["own launches"] += [own.raw.hex(), ctypes.string_at(pinned, 8).hex()]
cudart.cudaGetLastError()
shapes = [{"block": (33, 32, 1)}, {"block": (1, 1, 65)}, {"grid": (0, 1, 1)}, {"grid": (1, 65536, 1)}]
answers["shapes"] = [launch(host_kernel, **shape) for shape in shapes]
answers["shapes"].append(launch(host_kernel, cudart.cudaLaunchCooperativeKernel, block=(2048, 1, 1)))
config.blockDim.x = 2048
answers["shapes"].append(cudart.cudaLaunchKernelExC(ctypes.byref(config), host_kernel, arguments))
cudart.cudaGetLastError()
answers["unknown kernel"] = launch(host_other)

# A compiler's file without PTX text: it is a fat binary, whatever is packed in it.
other = register(b"\x50\xed\x55\xba" + PTX)
register_function(other, host_other, b"other")
answers["fat binary"] = launch(host_other)
internal("UnregisterFatBinary")(other)

# PTX may begin with comments. A managed variable is known from when its file is initialised. Then the file goes.
live = lambda: driver.simcuda_live(b"modules")  # noqa: E731
driver.simcuda_live.restype = ctypes.c_ulong
count = live()
managed_ptx = PTX.replace(b".u32 more", b".attribute(.managed) .u32 more")
other = register(b"// made by hand\n\n/* of\n * lines */ " + managed_ptx)
managed_variable = ctypes.c_void_p()
internal("RegisterManagedVar")(other, ctypes.byref(managed_variable), b"more", b"more", 0, size(4), 0, 0)
register_function(other, host_other, b"add")
initialise = internal("InitModule")
initialise.restype = ctypes.c_byte
answers["managed variable"] = [initialise(other), read(managed_variable, 4)]
ok(cudart.cudaMemset(a, 0, size(8)))
ok(launch(host_other))
answers["managed variable"].append(read(a))
ok(cudart.cudaSetDevice(1))
answers["managed variable"].append(launch(host_other))  # its pointer stays on the first device
cudart.cudaGetLastError()
ok(cudart.cudaSetDevice(0))
answers["unregistered"] = [live() - count]
internal("UnregisterFatBinary")(other)
internal("UnregisterFatBinary")(other)
register_function(other, host_other, b"add")
answers["unregistered"] += [live() - count, launch(host_other)]
answers["refused"] = [cudart.cudaCreateTextureObject(None, None, None, None), cudart.cudaGetLastError()]

# Threads at once, on two devices: each registers files and launches a kernel of them.
sums = []


def run(number):
    ok(cudart.cudaSetDevice(number % 2))
    place = malloc(8)
    held = ctypes.c_void_p(place.value)
    given = (ctypes.c_void_p * 1)(ctypes.addressof(held))
    on_host = ctypes.create_string_buffer(1)
    together.wait()
    for _ in range(20):
        file = register(PTX)
        register_function(file, on_host, b"add")
        ok(cudart.cudaMemset_ptds(place, 0, size(8)))
        ok(cudart.cudaLaunchKernel_ptsz(on_host, Dim3(1, 1, 1), Dim3(2, 1, 1), given, size(0), None))
        got = ctypes.create_string_buffer(8)
        ok(cudart.cudaMemcpy_ptds(got, place, size(8), TO_HOST))
        sums.append(got.raw.hex())
        internal("UnregisterFatBinary")(file)
    ok(cudart.cudaFree(place))


together = threading.Barrier(4)
threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
answers["threads"] = [len(sums), *set(sums)]

# After a reset everything starts anew.
ok(cudart.cudaDeviceReset())
again = malloc(8)
ok(copy(again, b"12345678", 8, FROM_HOST))
answers["after a reset"] = [read(again)]
ok(copy(again, bytes(8), 8, FROM_HOST))
argument.value = again.value
ok(launch(host_kernel))
place, extent = ctypes.c_void_p(), size()
ok(cudart.cudaGetSymbolAddress(ctypes.byref(place), host_more))
ok(cudart.cudaGetSymbolSize(ctypes.byref(extent), host_more))
answers["after a reset"] += [read(again), read(place, 4), extent.value]
print(json.dumps(answers))
