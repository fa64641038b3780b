"""DLPack of JAX and of cuda.core, which know dtypes and a version that NumPy does not."""

import jax
import ml_dtypes
import numpy as np
from cuda.core.utils import StridedMemoryView
from support.dlpack_structs import Given, pieces
from support.lines import serve

given = []


def of_jax(names):
    """Arrays of two times four ones as JAX exports them."""
    ones = [jax.device_put(np.ones((2, 4), getattr(ml_dtypes, name, name))) for name in names]
    return [pieces(one.__dlpack__()) for one in ones]


def room():
    """The address at which a struct may be written, and the deleter that it must name."""
    given.append(Given("dltensor_versioned"))
    return [str(given[-1].address), str(given[-1].deleter)]


def by_cuda_core(digits):
    """What cuda.core makes of the struct that is written there. It accesses no element."""
    one = given[-1]
    one.write(digits)
    view = StridedMemoryView.from_dlpack(one, stream_ptr=-1)
    found = {
        "pointer": view.ptr,
        "shape": view.shape,
        "strides": view.strides,
        "dtype": str(view.dtype),
        "readOnly": view.readonly,
        "deviceAccessible": view.is_device_accessible,
    }
    del view
    return {**found, "deleted": one.deleted}


serve(of_jax, room, by_cuda_core)
