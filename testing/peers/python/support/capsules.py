"""Capsules of Python, through ctypes."""

from ctypes import PYFUNCTYPE, c_char_p, c_void_p, py_object, pythonapi
from functools import cache

_new = PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", pythonapi))
_set_name = PYFUNCTYPE(None, py_object, c_char_p)(("PyCapsule_SetName", pythonapi))
_name_of = PYFUNCTYPE(c_char_p, py_object)(("PyCapsule_GetName", pythonapi))
_pointer_of = PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))


@cache
def _kept(name):
    """The bytes of a name, for good: a capsule does not copy its name."""
    return name.encode()


def new(pointer, name):
    return _new(pointer, _kept(name), None)


def rename(capsule, name):
    _set_name(capsule, _kept(name))


def name_of(capsule):
    return _name_of(capsule).decode()


def pointer_of(capsule):
    return _pointer_of(capsule, _name_of(capsule))
