"""Times dpnp's reductions and scans on a SYCL device: requests as those of reductions.py, without "way"."""

from functools import partial

import dpctl
import dpnp
from dpnp.tensor import usm_ndarray
from layouts import end_of
from reduced import axis_of, numbers
from timed_work import answer

queue = dpctl.SyclQueue("cpu", property="in_order")
FUNCTIONS = {
    "variance": dpnp.var,
    "countNonzero": dpnp.count_nonzero,
    "logSumExp": dpnp.logsumexp,
    "cumulativeSum": dpnp.cumsum,
    "cumulativeProd": dpnp.cumprod,
}


def view(side, block):
    size = dpnp.dtype(side["type"]).itemsize
    strides = [stride // size for stride in side["byteStrides"]]
    array = usm_ndarray(side["shape"], dtype=side["type"], buffer=block.get_array(), strides=strides, offset=side["offset"] // size)
    return dpnp.asarray(array)


def prepare(request):
    name, side = request["name"], request["array"]
    block = dpnp.asarray(numbers(side["type"], end_of(side), request["isOfZeros"]), sycl_queue=queue)
    return partial(FUNCTIONS.get(name) or getattr(dpnp, name), view(side, block), axis=axis_of(request["axes"]))


answer(prepare, queue.wait)
