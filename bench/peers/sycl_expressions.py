"""Times dpnp's expressions on a SYCL device, as one writes them: {"text": TEXT, "type": "float32", "count": COUNT}."""

from functools import partial

import dpctl
import dpnp
from timed_work import answer

queue = dpctl.SyclQueue("cpu", property="in_order")
FUNCTIONS = {"sqrt": dpnp.sqrt, "abs": dpnp.abs, "where": dpnp.where}


def prepare(request):
    numbers = dpnp.arange(request["count"], sycl_queue=queue)
    values = {name: (numbers % period + 1).astype(request["type"]) for name, period in (("x", 1000), ("y", 777))}
    return partial(eval, compile(request["text"], "text", "eval"), FUNCTIONS, values)


answer(prepare, queue.wait)
