"""Times what dpnp takes to read the SUAI dict of benchmarks/reading.mjs."""

import dpnp.tensor as dpt
from timed_calls import answer


class Exposes:
    pass


memory = dpt.zeros((4, 5, 6), dtype="f4")
device = Exposes()
device.__sycl_usm_array_interface__ = {**memory.__sycl_usm_array_interface__, "strides": (30, 6, 1)}

answer({"dpnp": lambda: dpt.asarray(device, copy=False)})
