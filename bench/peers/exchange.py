"""DLPack's C exchange API from C (programs/exchange.c), beside `__dlpack__` called by Python. In the process of Node."""

import ctypes
import subprocess
import tempfile
import timeit
from pathlib import Path

bench = Path(__file__).parent.parent
with tempfile.TemporaryDirectory() as folder:
    library = f"{folder}/exchange.so"
    header = bench.parent / "packages" / "abi" / "include"
    source = bench / "programs" / "exchange.c"
    options = ["-std=gnu11", "-O2", "-shared", "-fPIC", "-I", header]
    subprocess.run(["cc", *options, source, "-o", library], check=True)
    c = ctypes.PyDLL(library)  # keeps Python's lock

NAME = b"dlpack_exchange_api"
get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
for function in (c.time_exports, c.time_loans):
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_int]


def timed(function, array, count):
    """Nanoseconds of one of many calls of the functions of an array's class, from C."""
    table = get_pointer(type(array).__dlpack_c_exchange_api__, NAME)
    return function(table, array, count)


def exports(array, count):
    return timed(c.time_exports, array, count)


def loans(array, count):
    return timed(c.time_loans, array, count)


def capsules(array, count):
    """Nanoseconds of one of many calls of `__dlpack__`, from Python."""
    call = "export(max_version=version)"
    names = {"export": array.__dlpack__, "version": (1, 3)}
    return timeit.timeit(call, globals=names, number=count) / count * 1e9


class Tabled:
    """1,000 numbers in memory of C's, by its functions."""

    __dlpack_c_exchange_api__ = new_capsule(
        ctypes.addressof(ctypes.c_char.in_dll(c, "table")), NAME, None
    )
