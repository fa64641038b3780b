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


class Exchange(ctypes.Structure):
    """DLPackExchangeAPI."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("older", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("export", ctypes.c_void_p),
        ("take", ctypes.c_void_p),
        ("lend", ctypes.c_void_p),
        ("stream", ctypes.c_void_p),
    ]


# These keep the lock, and raise what a function of a table raises.
EXPORT = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p)
)
STREAM = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)
)


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


# Functions of CPython that raise: the truth of an object that raises, and TypeError.
RAISES = address(ctypes.pythonapi.PyObject_IsTrue)
RAISES_TYPE_ERROR = address(ctypes.pythonapi.PyErr_BadArgument)


@EXPORT
def export_made(one, out):
    out[0] = ctypes.addressof(one.made.struct) if one.made else None
    return 0


@ctypes.PYFUNCTYPE(ctypes.c_int)  # C does not mind arguments
def fail_silently():
    return -1


asked_streams = []


@STREAM
def current_stream(device_type, number, out):
    asked_streams.append((device_type, number))
    out[0] = 0
    return 0


tables = []
"""They stay as long as the process."""


def new_table(**changes):
    fields = {
        "major": 1,
        "minor": 3,
        "export": address(export_made),
        "stream": address(current_stream),
        **changes,
    }
    tables.append(Exchange(**fields))
    return ctypes.addressof(tables[-1])


class Tabled:
    """The tensor of a Made by the C functions of its class, and by nothing else."""

    def __init__(self, made):
        self.made = made

    def __bool__(self):
        raise BufferError("why")


def with_table(name=b"dlpack_exchange_api", base=Tabled, **changes):
    """A class like Tabled, with a table of which some fields are changed."""
    capsule = new_capsule(new_table(**changes), name, None)
    return type("WithTable", (base,), {"__dlpack_c_exchange_api__": capsule})


class TabledToo(Tabled):
    """Has `__dlpack__` too, which gives other numbers."""

    def __init__(self, made, a=None):
        super().__init__(made)
        self.a = np.arange(4.0) if a is None else a

    __dlpack__ = Through.__dlpack__
    __dlpack_device__ = Through.__dlpack_device__


get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
get_pointer.restype = ctypes.c_void_p
get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def table_of(a):
    """The table of the class of an array."""
    capsule = type(a).__dlpack_c_exchange_api__
    return Exchange.from_address(get_pointer(capsule, b"dlpack_exchange_api"))


def exported(a, table=None):
    """The address of a tensor, which the caller must end."""
    out = ctypes.c_void_p()
    assert EXPORT((table or table_of(a)).export)(a, out) == 0
    return out.value


def end(pointer):
    Versioned.from_address(pointer).deleter(pointer)


def lent(a):
    """The tensor of an array, good as long as that."""
    tensor = Tensor()
    lend = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)
    assert lend(table_of(a).lend)(a, ctypes.addressof(tensor)) == 0
    return tensor


def taken(pointer, table):
    """The array of the table's library over a tensor, which this takes."""
    out = ctypes.c_void_p()
    take = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    assert take(table.take)(pointer, ctypes.addressof(out)) == 0
    made = ctypes.cast(out, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(made))
    return made


def stream_of(table, device_type, number=0):
    out = ctypes.c_void_p(7)
    assert STREAM(table.stream)(device_type, number, out) == 0
    return out.value


SET_ERROR = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p
)
# Without the lock, as ctypes calls a CFUNCTYPE.
ALLOCATE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, SET_ERROR
)


def allocated(table, axes=(2, 3), **changes):
    """The address of a new tensor, or the kind and the message of what it refuses."""
    errors = []
    set_error = SET_ERROR(lambda _, *texts: errors.append(b": ".join(texts).decode()))
    lengths = (ctypes.c_int64 * len(axes))(*axes)
    fields = {"device_type": 1, "ndim": len(axes), "code": 2, "bits": 32, "lanes": 1}
    prototype = Tensor(**{**fields, "shape": lengths, **changes})
    out = ctypes.c_void_p()
    status = ALLOCATE(table.allocate)(
        ctypes.addressof(prototype), ctypes.addressof(out), None, set_error
    )
    return out.value if status == 0 else errors[0]


class ArrowSchema(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", DELETER),
        ("private_data", ctypes.c_void_p),
    ]


class ArrowArray(ctypes.Structure):
    _fields_ = [
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.c_void_p),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", DELETER),
        ("private_data", ctypes.c_void_p),
    ]


living_structs = {}
"""Those in capsules that have not ended, with what they point to."""


class ArrowColumn:
    """Numbers by `__arrow_c_array__` alone, with None for nulls, and some fields changed."""

    released = 0

    def __init__(self, values, format=b"g", names=(b"arrow_schema", b"arrow_array"), **changes):
        self.format, self.capsule_names, self.changes = format, names, changes
        self.numbers = np.array([0 if one is None else one for one in values], "d")
        bits = [one is not None for one in values]
        self.bits = np.packbits(np.array(bits, bool), bitorder="little")

    def __arrow_c_array__(self, requested_schema=None):
        buffers = (ctypes.c_void_p * 2)(self.bits.ctypes.data, self.numbers.ctypes.data)
        fields = {
            "length": len(self.numbers),
            "null_count": -1,
            "n_buffers": 2,
            "buffers": ctypes.addressof(buffers),
            "release": DELETER(self.release),
            **self.changes,
        }
        schema = ArrowSchema(format=self.format, release=fields["release"])
        array = ArrowArray(**fields)
        capsules = []
        for struct, name in zip((schema, array), self.capsule_names):
            pointer = ctypes.addressof(struct)
            living_structs[pointer] = struct, self, buffers, fields
            capsules.append(make_capsule(pointer, name, END_COLUMN))
        return tuple(capsules)

    def release(self, pointer):
        self.released += 1


# For a capsule that ends, which must not be referred to.
dying_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_GetName", ctypes.pythonapi)
)
dying_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def end_column(capsule):
    """A capsule's destructor, which releases what nobody has taken over."""
    name = dying_name(capsule)
    pointer = dying_pointer(capsule, name)
    kind = ArrowSchema if name == b"arrow_schema" else ArrowArray
    struct = kind.from_address(pointer)
    if struct.release:
        struct.release(pointer)
    del living_structs[pointer]


END_COLUMN = address(end_column)
