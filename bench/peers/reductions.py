"""Times reductions and scans: {"name": NAME, "array": SIDE, "axes": [AXIS…] or null, "isOfZeros": BOOL, "way": "numexpr" or "NumPy"}."""

from functools import partial

import numexpr
import numpy as np
from layouts import end_of, view
from reduced import axis_of, numbers
from timed_work import answer

numexpr.set_num_threads(1)


def log_sum_exp(x, axis):
    """As one writes it with NumPy, in the type of our result: float64 for all integers, as their mean has."""
    greatest = x.max(axis=axis, keepdims=True)
    rest = np.subtract(x, greatest, dtype=x.dtype if x.dtype.kind == "f" else "f8")
    return np.log(np.exp(rest).sum(axis=axis)) + np.squeeze(greatest, axis)


FUNCTIONS = {
    "variance": np.var,
    "countNonzero": np.count_nonzero,
    "logSumExp": log_sum_exp,
    "cumulativeSum": np.cumsum,
    "cumulativeProd": np.cumprod,
}


def prepare(request):
    name, side = request["name"], request["array"]
    x = view(numbers(side["type"], end_of(side), request["isOfZeros"]), side)
    axis = axis_of(request["axes"])
    if request["way"] == "numexpr":
        return partial(numexpr.evaluate, f"{name}(x, axis={axis})" if axis is not None else f"{name}(x)", {"x": x})
    return partial(FUNCTIONS.get(name) or getattr(np, name), x, axis=axis)


answer(prepare)
