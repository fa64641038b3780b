"""Times expressions on a SYCL device: {"text": TEXT, "type": "float32", "count": COUNT} by dpnp, as one writes it, and
{"memcpy": BYTES} by a queue of dpctl's."""

from functools import partial

import dpctl
import dpctl.memory as memory
import dpnp
from timed_work import answer

queue = dpctl.SyclQueue("cpu", property="in_order")
FUNCTIONS = {"sqrt": dpnp.sqrt, "abs": dpnp.abs, "where": dpnp.where}


def block(count):
    made = memory.MemoryUSMDevice(count, queue=queue)
    made.memset(1)
    return made


def prepare(request):
    if "memcpy" in request:
        return partial(queue.memcpy, block(request["memcpy"]), block(request["memcpy"]), request["memcpy"])
    numbers = dpnp.arange(request["count"], sycl_queue=queue)
    values = {name: (numbers % period + 1).astype(request["type"]) for name, period in (("x", 1000), ("y", 777))}
    return partial(eval, compile(request["text"], "text", "eval"), FUNCTIONS, values)


answer(prepare, queue.wait)
