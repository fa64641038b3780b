"""JAX's plugin for CUDA on the simulator's runtime library: memory, interfaces, and tickets of Node's."""

import ctypes

import array_interface
import jax
import jax._src.hardware_utils
import numpy as np
from support.lines import serve

# JAX looks for /dev/nvidia0, which the simulator does not have.
jax._src.hardware_utils.has_visible_nvidia_gpu = lambda: True
import jax.numpy as jnp  # noqa: E402


class Foreign:
    """An array by its dict alone."""

    def __init__(self, interface):
        self.__cuda_array_interface__ = interface


def versions():
    """The version of JAX, and the devices that it finds."""
    return {"jax": jax.__version__, "devices": [one.platform for one in jax.devices()]}


def transferred():
    """By name: whether an array came back unchanged."""
    one, other = jax.devices()
    kinds = {name: np.arange(24).astype(name).reshape(2, 3, 4) for name in ["int8", "float16", "float32", "complex64"]}
    there = {name: jax.device_put(values, one) for name, values in kinds.items()}
    same = {name: np.array_equal(np.asarray(there[name]), values) for name, values in kinds.items()}
    second = jax.device_put(there["float32"], other)
    moved = second.devices() == {other} and np.array_equal(np.asarray(second), kinds["float32"])
    return {**same, "second device": moved}


def interfaces():
    """Whether JAX reads back its own memory, by the interface's dict and by DLPack, at the same address."""
    array = jax.device_put(np.arange(6, dtype="i4")).block_until_ready()
    ways = {"dict": jnp.asarray(Foreign(array.__cuda_array_interface__)), "dlpack": jax.dlpack.from_dlpack(array)}
    address = array.unsafe_buffer_pointer()
    return {way: one.unsafe_buffer_pointer() == address and one.tolist() for way, one in ways.items()}


def read_ticket(ticket):
    """The elements of a ticket's array, read where they are; and JAX's error for the stream of its dict."""
    with array_interface.open_cuda_ticket(ticket) as opened:
        interface = opened.__cuda_array_interface__
        try:
            error = str(jnp.asarray(opened))
        except RuntimeError as raised:
            error = str(raised)
        ctypes.CDLL("libcuda.so.1").cuStreamSynchronize(ctypes.c_void_p(opened.stream))
        read = jnp.asarray(Foreign({**interface, "stream": None}))
        is_same = read.unsafe_buffer_pointer() == interface["data"][0]
        return {"same": is_same, "values": read.tolist(), "error": error}


def share_own():
    """Why an array of JAX's has no ticket."""
    try:
        return array_interface.share(jax.device_put(np.arange(4)).block_until_ready())
    except array_interface.TicketError as error:
        return str(error)


def refused():
    """The error of JAX's compiler."""
    try:
        jax.device_put(np.ones(3)) + 1
    except RuntimeError as error:
        return str(error)
    return ""


serve(versions, transferred, interfaces, read_ticket, share_own, refused)
