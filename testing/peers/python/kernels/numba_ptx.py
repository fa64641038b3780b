"""PTX that Numba compiles from functions, as JSON: an axpy over arrays as Numba passes them, and one over pointers."""

import json
import os
import re

os.environ["CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING"] = "1"

from numba import cuda, types


def over_arrays(source, target, factor):
    i = cuda.grid(1)
    if i < target.size:
        target[i] = factor * source[i] + target[i]


def over_pointers(source, target, factor, n):
    i = cuda.grid(1)
    if i < n:
        target[i] = factor * source[i] + target[i]


def ptx_of(function, signature):
    ptx, _ = cuda.compile_ptx(function, signature, device=False, cc=(7, 5), fastmath=False)
    (name,) = re.findall(r"\.entry\s+(\w+)", ptx)
    return {"ptx": ptx, "name": name}


array = types.Array(types.float32, 1, "A")
pointer = types.CPointer(types.float32)
print(
    json.dumps(
        {
            "arrays": ptx_of(over_arrays, (array, array, types.float32)),
            "pointers": ptx_of(over_pointers, (pointer, pointer, types.float32, types.uint32)),
        }
    )
)
