"""Share arrays between processes without a copy, by tickets: plain data that any message can carry.

array = array_interface.open_host_ticket(ticket) # from Node, or from another Python
numpy.asarray(array)[0] = 7                      # in the sharer's own memory

memory = array_interface.empty((3, 4), "<f4")    # host memory that can be shared
numpy.asarray(memory)[...] = 1
ticket = array_interface.share(memory)           # json.dumps(ticket), and send it

GPU arrays of any library with `__cuda_array_interface__` are shared and opened in the same way. Works on Linux, between
processes of one user.
"""

from ._cuda import CudaArray, CudaTicket, collect
from ._driver import CudaError
from ._errors import TicketError
from ._host import HostArray, empty
from ._tickets import Ticket
from ._open import open_cuda_ticket, open_host_ticket, open_ticket, share

__all__ = [
    "CudaArray",
    "CudaError",
    "CudaTicket",
    "HostArray",
    "Ticket",
    "TicketError",
    "collect",
    "empty",
    "open_cuda_ticket",
    "open_host_ticket",
    "open_ticket",
    "share",
]
