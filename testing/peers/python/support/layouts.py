"""Layouts of arrays, as tests compare them."""

import numpy as np


def layout_of(array, pointer, **more):
    """The layout of an array with NumPy's attributes, and `more`."""
    dtype = np.dtype(array.dtype)
    return {
        "pointer": pointer,
        "shape": array.shape,
        "byteStrides": array.strides,
        "itemsize": dtype.itemsize,
        "kind": dtype.kind,
        "size": array.size,
        **more,
    }
