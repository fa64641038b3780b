"""Whether each consumer of memory of this process takes an array, by DLPack or by Python's buffers."""

import ctypes
import os

os.environ["JAX_PLATFORMS"] = "cpu"

import jax.numpy
import numpy as np
import pyarrow
from mpi4py import MPI
from support.dlpack_structs import Given
from support.lines import serve
from support.producers import exposed

kept = []
rooms = {name: Given(name) for name in ("dltensor", "dltensor_versioned")}


def memory(byte_length):
    """The address of zeros, aligned to 64 bytes."""
    block = np.zeros(byte_length + 64, "u1")
    kept.append(block)
    return -(-block.ctypes.data // 64) * 64


def room(name):
    """The address at which a struct may be written, and the deleter that it must name."""
    return [str(rooms[name].address), str(rooms[name].deleter)]


def _jax(given):
    array = jax.numpy.from_dlpack(given)
    return {"pointer": str(array.unsafe_buffer_pointer()), "dtype": str(array.dtype)}


def _pyarrow(array):
    return {"pointer": str(pyarrow.py_buffer(array).address)}


def _mpi4py(array):
    """A request to send that is never started, so that no element is read."""
    MPI.COMM_SELF.Send_init(array, 0).Free()
    return {}


def _asked(reader, given):
    try:
        return reader(given)
    except Exception as error:
        return {"complaint": f"{type(error).__name__}: {error}"}


def by_struct(consumer, name, digits):
    """What the consumer makes of the struct that is written there, or its complaint."""
    rooms[name].write(digits)
    return _asked({"JAX": _jax, "mpi4py": _mpi4py}[consumer], rooms[name])


def by_buffer(consumer, interface):
    """The same for an array that NumPy exports as a buffer, or else by DLPack."""
    array = np.asarray(exposed("__array_interface__", interface))
    return _asked({"PyArrow": _pyarrow, "mpi4py": _mpi4py}[consumer], array)


def versions():
    """The versions of the consumers, as they report them."""
    from importlib.metadata import version

    return {f"{name} on the CPU": version(name.lower()) for name in ("JAX", "PyArrow", "mpi4py")}


serve(memory, room, by_struct, by_buffer, versions)
