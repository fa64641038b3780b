"""Times the views of NumPy and its answers about overlap that benchmarks/views.mjs asks for."""

import numpy as np
from timed_calls import answer

array = np.zeros((4, 5, 6), "f4")
even, odd = array[:, 1:, ::2], array[:, 1:, 1::2]

answer(
    {
        "slice of one axis": lambda: array[1:3],
        "slice with steps": lambda: array[1:, ::2],
        "slice with negative steps": lambda: array[::-1, :, -2::-2],
        "flip of one axis": lambda: np.flip(array, 1),
        "flip of all axes": lambda: np.flip(array),
        "permuteDims": lambda: np.transpose(array, (2, 0, 1)),
        "expandDims": lambda: np.expand_dims(array, 1),
        "reshape": lambda: array.reshape((20, 6)),
        "sharesMemory of two strided views": lambda: np.shares_memory(even, odd),
    }
)
