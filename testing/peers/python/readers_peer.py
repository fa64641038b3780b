"""Whether each consumer of an interface that runs without a GPU takes a dict, or what it says of it."""

import ctypes
import os

os.environ["CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING"] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import warnings

import jax
import numpy as np
from cuda.bindings import driver
from cuda.core import Device
from cuda.core.utils import StridedMemoryView
from jax._src import xla_bridge
from jax._src.lib import _jax
from mpi4py import MPI
from numba import cuda
from pyarrow.util import get_contiguous_span
from support.lines import serve
from support.producers import Exposes, exposed, typed

warnings.simplefilter("ignore")  # mpi4py warns of each descr
Device(0).set_current()
host_client = xla_bridge.get_backend()
kept = []


def _numpy(interface):
    np.asarray(exposed("__array_interface__", interface))


def _numba(interface):
    cuda.as_cuda_array(exposed("__cuda_array_interface__", interface), sync=False)


def _cuda_core(interface):
    StridedMemoryView.from_cuda_array_interface(exposed("__cuda_array_interface__", interface), stream_ptr=-1)


def _mpi4py(interface):
    """A request to send that is never started, so that no element is read."""
    MPI.COMM_SELF.Send_init(exposed("__cuda_array_interface__", interface), 0).Free()


def _jax_cpu(interface):
    """JAX's reader, with its client for host memory in place of one for a GPU."""
    _jax.cuda_array_interface_to_buffer(cai=typed(interface), gpu_backend=host_client, device_id=0)


def _pyarrow(interface):
    """What PyArrow checks of a dict before it asks the driver, for which its wheels are not built."""
    layout = typed(interface)
    get_contiguous_span(layout["shape"], layout.get("strides"), np.dtype(layout["typestr"]).itemsize)


readers = {
    "NumPy": _numpy,
    "Numba": _numba,
    "cuda.core": _cuda_core,
    "mpi4py": _mpi4py,
    "JAX": _jax_cpu,
    "PyArrow": _pyarrow,
}


def reads(consumer, interface):
    """Returns None if the consumer takes the dict, or else its complaint."""
    try:
        readers[consumer](interface)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def overlooked(host, device):
    """By consumer and rule: what the consumer makes of an array that breaks a rule it does not check."""
    plain = {"shape": [3], "typestr": "<f4", "version": 3}
    on_host = {**plain, "data": [host, False], "stream": 1}
    on_device = {**plain, "data": [device, True]}
    record = {**on_device, "typestr": "|V8", "descr": [["a", "<f4"], ["b", "<i4"]]}
    text = {**on_device, "typestr": "<U2"}
    big = {**on_host, "typestr": ">f4"}
    cai = "__cuda_array_interface__"
    np.frombuffer((ctypes.c_char * 12).from_address(host), ">f4")[:] = 1
    numba_array = cuda.as_cuda_array(exposed(cai, on_device), sync=False)
    numba_array.copy_to_device(np.ones(3, "f4"))
    jax_big = _jax.cuda_array_interface_to_buffer(cai=typed(big), gpu_backend=host_client, device_id=0)
    numpy_masked = np.asarray(exposed("__array_interface__", {**plain, "data": [host, False], "mask": Exposes()}))
    return {
        "NumPy noMask": type(numpy_masked).__name__,
        "Numba writable": numba_array.copy_to_host().tolist(),
        "Numba noFields": cuda.as_cuda_array(exposed(cai, record), sync=False).dtype.names,
        "cuda.core noFields": StridedMemoryView.from_cuda_array_interface(
            exposed(cai, record), stream_ptr=-1
        ).dtype.names,
        "mpi4py noText": MPI.buffer(exposed(cai, text)).nbytes,
        "JAX nativeByteOrder": float(np.asarray(jax_big)[0]),
    }


def versions():
    """The versions of the consumers, as they report them."""
    from importlib.metadata import version

    packages = {
        **{"NumPy": "numpy", "Numba": "numba-cuda", "cuda.core": "cuda-core"},
        **{"mpi4py": "mpi4py", "JAX": "jax", "PyArrow": "pyarrow"},
    }
    return {name: version(package) for name, package in packages.items()}


def host_memory(byte_length):
    """The address of host memory, aligned to 64 bytes."""
    block = np.zeros(byte_length + 64, "u1")
    kept.append(block)
    return -(-block.ctypes.data // 64) * 64


def device_memory(byte_length):
    """The address of device memory."""
    return int(driver.cuMemAlloc(byte_length)[1])


serve(reads, overlooked, versions, host_memory, device_memory)
