"""Objects of dpctl and dpnp in Node's process, and what both make of Node's."""

import dpctl
import dpctl.memory as memory
import dpnp
import dpnp.tensor as tensor
import numpy
from support import capsules
from support.messages import answer

_kept = {}  # by number: whatever Node was told of


def _keep(thing):
    number = len(_kept)
    _kept[number] = thing
    return number


def _queue(options):
    properties = [name for name in ("in_order", "enable_profiling") if options.get(name)]
    device = dpctl.SyclDevice("cpu")
    if options.get("own_context"):
        return dpctl.SyclQueue(dpctl.SyclContext([device]), device, property=properties)
    return dpctl.SyclQueue("cpu", property=properties)


def _described(producer):
    """The dict as JavaScript gets it. What it names as syclobj stays here."""
    interface = dict(producer.__sycl_usm_array_interface__)
    syclobj = interface.pop("syclobj")
    return {"object": _keep(producer), "interface": interface, "syclobj": _keep(syclobj)}


def dpctl_memory(kind, size, options):
    """A memory object of dpctl."""
    return _described(getattr(memory, f"MemoryUSM{kind}")(size, queue=_queue(options)))


def dpnp_array(kind, values, dtype, view, options):
    """A view of an array of dpnp."""
    queue = _queue(options)
    array = dpnp.asarray(values, dtype=dtype, usm_type=kind, sycl_queue=queue)
    return _described(eval(view, {"array": array, "dpnp": dpnp}))


def context_of(number):
    """The context of a queue."""
    return _keep(_kept[number].sycl_context)


def capsule_of(number):
    """A new capsule of a queue or context."""
    return _keep(_kept[number]._get_capsule())


def capsule_name(number):
    return capsules.name_of(_kept[number])


def capsule_pointer(number):
    return capsules.pointer_of(_kept[number])


def rename_capsule(number, name):
    capsules.rename(_kept[number], name)


def drop(number):
    del _kept[number]


def values_of(number):
    """What Python reads there."""
    thing = _kept[number]
    if hasattr(thing, "copy_to_host"):
        return thing.copy_to_host().tolist()
    return dpnp.asnumpy(dpnp.asarray(thing)).tolist()


def fill(number, value):
    """Writes with a kernel of dpnp, or from the host."""
    thing = _kept[number]
    if hasattr(thing, "copy_from_host"):
        thing.copy_from_host(numpy.full(thing.nbytes, value, dtype="u1"))
    else:
        thing[...] = value


class FromNode:
    def __init__(self, interface, name, reference):
        self.__sycl_usm_array_interface__ = {
            **interface,
            "data": tuple(interface["data"]),
            "syclobj": capsules.new(reference, name),
        }


def memory_of(interface, name, reference):
    """What dpctl makes of Node's dict without copying."""
    usm = memory.as_usm_memory(FromNode(interface, name, reference))
    return {"object": _keep(usm), "pointer": usm._pointer, "nbytes": usm.nbytes}


def array_of(interface, name, reference):
    """What dpnp makes of Node's dict without copying."""
    array = tensor.asarray(FromNode(interface, name, reference), copy=False)
    whole = dpnp.asarray(array, copy=False)
    return {
        "object": _keep(whole),
        "pointer": array._pointer,
        "shape": array.shape,
        "strides": array.strides,
        "writable": array.flags.writable,
        "usm_type": array.usm_type,
    }


def reference_of(number):
    """The address of a queue's native reference."""
    return _kept[number].addressof_ref()


def same_queue(number, reference):
    """Whether the queue of an array or memory is the one at an address."""
    return _kept[number].sycl_queue == dpctl.SyclQueue(capsules.new(reference, "SyclQueueRef"))


def library():
    """Files of dpctl's C library and of the SYCL runtime that this process has loaded."""
    with open("/proc/self/maps") as maps:
        files = {line.split(maxsplit=5)[-1].strip() for line in maps}
    return sorted(file for file in files if "libDPCTLSycl" in file or "libsycl.so" in file)


_operations = (
    dpctl_memory, dpnp_array, context_of, capsule_of, capsule_name, capsule_pointer, rename_capsule,
    drop, values_of, fill, memory_of, array_of, reference_of, same_queue, library,
)


def respond(line):
    return answer(_operations, line)
