"""Objects that give arrays, rightly and wrongly."""

import array
import ctypes
import gc
import weakref

import numpy as np


class Has:
    """An object with these attributes."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


def keeping(a):
    """Something other than an array of NumPy, with its dict."""
    return Has(__array_interface__=a.__array_interface__, kept=a)


class Raises:
    """Raises an exception for every attribute."""

    def __init__(self, error):
        object.__setattr__(self, "error", error)

    def __getattribute__(self, name):
        raise object.__getattribute__(self, "error")


class Through:
    """An array that has DLPack alone."""

    def __init__(self, a):
        self.a = a

    def __dlpack__(self, **options):
        return self.a.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.a.__dlpack_device__()


class Older(Through):
    """As before DLPack 1.0."""

    def __dlpack__(self, *, stream=None):
        return self.a.__dlpack__()


class Elsewhere(Through):
    """As PyTorch: an interface that is there for the arrays of a device alone."""

    @property
    def __cuda_array_interface__(self):
        raise TypeError("not on a device")


def dict_of(a, **changes):
    """The dict of an array with some keys changed; `...` takes one away."""
    changed = {**a.__array_interface__, **changes}
    return Has(
        kept=a,
        __array_interface__={k: v for k, v in changed.items() if v is not ...},
    )


class Given:
    """`__dlpack__` gives just this, or raises it."""

    def __init__(self, given, device=(1, 0)):
        self.given = given
        self.device = device

    def __dlpack__(self, **options):
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given() if callable(self.given) else self.given

    def __dlpack_device__(self):
        if isinstance(self.device, BaseException):
            raise self.device
        return self.device


class Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


make_capsule = ctypes.pythonapi.PyCapsule_New
make_capsule.restype = ctypes.py_object
make_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
names = []
"""Capsules do not keep their names."""
capsule_name = ctypes.pythonapi.PyCapsule_GetName
capsule_name.restype = ctypes.c_char_p
capsule_name.argtypes = [ctypes.py_object]

def new_capsule(pointer, name, destructor):
    names.append(name)
    return make_capsule(pointer, name, destructor)


made = []
"""All of them, since what they gave may be read and deleted later."""


class Made(Given):
    """Three numbers in a tensor of our own, with some fields changed."""

    def __init__(self, name=b"dltensor_versioned", major=1, deleter=None, **changes):
        self.deleted = 0
        self.deleter = DELETER(self.delete) if deleter is None else deleter
        made.append(self)
        self.numbers = (ctypes.c_float * 3)(1, 2, 3)
        self.shape = (ctypes.c_int64 * 1)(3)
        fields = {
            "data": ctypes.addressof(self.numbers),
            "device_type": 1,
            "ndim": 1,
            "code": 2,
            "bits": 32,
            "lanes": 1,
            "shape": self.shape,
            **changes,
        }
        self.struct = Versioned(
            major=major, deleter=self.deleter, flags=2, tensor=Tensor(**fields)
        )
        self.capsule = new_capsule(ctypes.addressof(self.struct), name, None)
        super().__init__(self.capsule, (fields["device_type"], 0))

    def delete(self, _):
        self.deleted += 1
