"""Times expressions: {"text": TEXT, "type": "float32", "shape": SHAPE, "way": "numexpr" or "NumPy"}.

x is all elements of a block, y the same turned if SHAPE has two axes; the result goes into memory that is there, but for
NumPy's, as one writes it.
"""

import math
from functools import partial

import numexpr
import numpy as np
from timed_work import answer

numexpr.set_num_threads(1)
FUNCTIONS = {"sqrt": np.sqrt, "abs": np.abs, "where": np.where}


def operands(kind, shape):
    count = math.prod(shape)
    x = (np.arange(count) % 1000 + 1).astype(kind).reshape(shape)
    y = (np.arange(count) % 777 + 1).astype(kind).reshape(shape[::-1]).T
    return {"x": x, "y": y}


def prepare(request):
    values = operands(request["type"], request["shape"])
    if request["way"] == "NumPy":
        return partial(eval, compile(request["text"], "text", "eval"), FUNCTIONS, values)
    out = np.empty(request["shape"], request["type"])
    return partial(numexpr.evaluate, request["text"], values, out=out, order="K", casting="same_kind")


answer(prepare)
