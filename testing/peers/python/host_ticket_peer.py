"""NumPy in another process: opens the tickets of @array-interface/host with the pip package, and makes some."""

import array_interface
import numpy as np
from support.lines import serve
from support.views import view_of

made = {}


def look(ticket):
    """What NumPy makes of the array of a ticket."""
    with array_interface.open_ticket(ticket) as opened:
        array = opened.numpy()
        assert np.asarray(opened).tobytes() == array.tobytes()
    return {
        "shape": array.shape,
        "byteStrides": array.strides,
        "typestr": array.dtype.str,
        "readOnly": not array.flags.writeable,
        "fields": [[name, array.dtype.fields[name][1]] for name in array.dtype.names or ()],
        "bytes": array.tobytes().hex(),
    }


def fill(ticket, value):
    """Writes to the array of a ticket."""
    array_interface.open_ticket(ticket).numpy()[...] = value


def make(shape, typestr, steps, bytes):
    """A ticket for a view of new memory with these bytes."""
    memory = array_interface.empty(shape, typestr)
    array = np.asarray(memory)
    if array.size:
        array.reshape(-1).view("u1")[:] = np.frombuffer(bytearray.fromhex(bytes), "u1")
    for step in steps:
        array = view_of(array, *step)
    return keep(array)


def make_records():
    """A ticket for records with padding, titles and a name beyond ASCII."""
    dtype = np.dtype([("x", "<f4"), (("a title", "größe"), ">i2"), ("part", [("y", "u1"), ("z", "<u4", (2,))])], align=True)
    array = np.asarray(array_interface.empty(3, dtype))
    array["größe"] = [1, 2, 3]
    return keep(array)


def keep(array):
    ticket = array_interface.share(array)
    made.update(array=array, ticket=ticket)
    return ticket


def values():
    """The values of the shared array."""
    return made["array"].tolist()


def release():
    """Releases the array, even for those who have not opened it yet."""
    made.pop("ticket").close()
    made.clear()


serve(look, fill, make, make_records, values, release)
