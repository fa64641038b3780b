"""Python's buffer protocol for a class of Python. Python itself offers that only from 3.12 on, by `__buffer__`."""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12) or sys.implementation.name != "cpython":

    class Buffered:
        """A base class. `memoryview` and all others that take a buffer take that of `buffer()`."""

        def buffer(self) -> memoryview:
            raise NotImplementedError

        def __buffer__(self, _flags: int) -> memoryview:
            return self.buffer()

else:

    class _Slot(ctypes.Structure):
        """PyType_Slot"""

        _fields_ = [("slot", ctypes.c_int), ("function", ctypes.c_void_p)]

    class _Spec(ctypes.Structure):
        """PyType_Spec"""

        _fields_ = [
            ("name", ctypes.c_char_p),
            ("basicsize", ctypes.c_int),
            ("itemsize", ctypes.c_int),
            ("flags", ctypes.c_uint),
            ("slots", ctypes.POINTER(_Slot)),
        ]

    _GETBUFFER = 1  # Py_bf_getbuffer
    _FLAGS = 1 << 18 | 1 << 10  # Py_TPFLAGS_DEFAULT, and Py_TPFLAGS_BASETYPE
    _getbufferproc = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
    _fill = _getbufferproc(("PyObject_GetBuffer", ctypes.pythonapi))
    _make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Spec))(("PyType_FromSpec", ctypes.pythonapi))

    @_getbufferproc
    def _get(array: Any, view: int, flags: int) -> int:
        try:
            return _fill(array.buffer(), view, flags)
        except BaseException:
            return -1  # ctypes cannot pass the exception on: Python makes a SystemError of this

    # Python uses both as long as the class lives.
    _slots = (_Slot * 2)(_Slot(_GETBUFFER, ctypes.cast(_get, ctypes.c_void_p)), _Slot(0, None))
    _spec = _Spec(b"array_interface.Buffered", 0, 0, _FLAGS, _slots)
    Buffered = _make(ctypes.byref(_spec))
