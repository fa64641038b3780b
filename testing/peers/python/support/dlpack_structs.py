"""The structs of dlpack.h as ctypes lays them out, in capsules of Python."""

import ctypes

from support import capsules


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("dl_tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [
        ("version", Version),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("dl_tensor", DLTensor),
    ]


STRUCTS = {"dltensor": DLManagedTensor, "dltensor_versioned": DLManagedTensorVersioned}


def pieces(capsule):
    """Which struct a capsule has, its address, and by address its bytes and those of its shape and strides."""
    struct = STRUCTS[capsules.name_of(capsule)]
    address = capsules.pointer_of(capsule)
    tensor = struct.from_address(address).dl_tensor
    parts = [(address, ctypes.sizeof(struct)), (tensor.shape, tensor.ndim * 8), (tensor.strides, tensor.ndim * 8)]
    return {
        "struct": struct.__name__,
        "address": str(address),
        "pieces": [[str(start), ctypes.string_at(start, length).hex()] for start, length in parts if start and length],
    }


class Given:
    """An array that others write as a struct into memory of this process. Counts the calls of its deleter."""

    def __init__(self, name):
        self.deleted = 0
        self._name = name
        self._room = (ctypes.c_uint64 * 256)()
        self._delete = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._count)

    @property
    def address(self):
        return ctypes.addressof(self._room)

    @property
    def deleter(self):
        return ctypes.cast(self._delete, ctypes.c_void_p).value

    def _count(self, address):
        self.deleted += 1 if address == self.address else 1000

    def write(self, digits):
        content = bytes.fromhex(digits)
        ctypes.memmove(self.address, content, len(content))

    def __dlpack__(self, **_):
        return capsules.new(self.address, self._name)

    def __dlpack_device__(self):
        return (1, 0)
