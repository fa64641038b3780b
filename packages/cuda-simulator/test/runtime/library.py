"""A CUDA runtime library through ctypes: what the programs of this folder share.

The first argument of the program is the library, libcudart.so.12 or .13 of the simulator.
"""

import ctypes
import sys

cudart = ctypes.CDLL(sys.argv[1])
MAJOR = int(sys.argv[1][-2:])
FROM_HOST, TO_HOST, ON_DEVICE, BY_ADDRESS = 1, 2, 3, 4


class Dim3(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]


class LaunchConfig(ctypes.Structure):
    _fields_ = [
        ("gridDim", Dim3),
        ("blockDim", Dim3),
        ("dynamicSmemBytes", ctypes.c_size_t),
        ("stream", ctypes.c_void_p),
        ("attrs", ctypes.c_void_p),
        ("numAttrs", ctypes.c_uint),
    ]


class Wrapper(ctypes.Structure):
    """What a compiler registers."""

    _fields_ = [
        ("magic", ctypes.c_int),
        ("version", ctypes.c_int),
        ("code", ctypes.c_char_p),
        ("file", ctypes.c_void_p),
    ]


size = ctypes.c_size_t


def words(*values):
    """A structure of words."""
    kind = type("Words", (ctypes.Structure,), {"_fields_": [(f"w{i}", size) for i in range(len(values))]})
    return kind(*values)


def ok(status):
    if status != 0:
        raise SystemExit(f"{sys._getframe(1).f_lineno}: error {status}")


def new(name, *arguments):
    """What a function makes, through its first argument."""
    handle = ctypes.c_void_p()
    status = getattr(cudart, name)(ctypes.byref(handle), *arguments)
    if status != 0:
        raise SystemExit(f"{sys._getframe(1).f_lineno}: {name}: error {status}")
    return handle


def malloc(number):
    return new("cudaMalloc", size(number))


def copy(to, source, number, kind):
    return cudart.cudaMemcpy(to, source, size(number), kind)


def read(pointer, number=8, stream=None):
    """The bytes there, in the order of a stream."""
    got = ctypes.create_string_buffer(number)
    ok(cudart.cudaMemcpyAsync(got, pointer, size(number), TO_HOST, stream))
    return got.raw.hex()


def internal(name):
    """What compiled programs call."""
    return getattr(cudart, f"__cuda{name}")


internal("RegisterFatBinary").restype = ctypes.c_void_p
wrappers = []


def register(code):
    wrappers.append(Wrapper(0x466243B1, 1, code, None))
    return ctypes.c_void_p(internal("RegisterFatBinary")(ctypes.byref(wrappers[-1])))


def register_function(binary, on_host, name):
    internal("RegisterFunction")(binary, on_host, name, name, -1, None, None, None, None, None)


def register_variable(binary, on_host, name):
    internal("RegisterVar")(binary, on_host, name, name, 0, size(4), 0, 0)
