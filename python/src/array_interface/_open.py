"""Both directions, for every kind of memory."""

from __future__ import annotations

from typing import Any

from ._cuda import CudaArray, open_cuda, share_cuda
from ._errors import FORGED, TicketError
from ._host import HostArray, open_host, share_host
from ._tickets import Ticket


def open_ticket(ticket: Any, *, user: int | None = None) -> HostArray | CudaArray:
    """The array of a ticket that another process made: Node's `host.share` and `cuda.share`, or `share` here. It lies in
    the sharer's own memory; nothing is copied. `user` is the number of the user whose processes made the ticket; by
    default it is this process's effective user, root too. Raises TicketError for a ticket that is altered, forged,
    stale, of another user or of this process, CudaError, MemoryError where there is no room for host memory, and OSError where
    no more files may be open."""
    try:
        kind = ticket["kind"]
    except (TypeError, LookupError):
        raise TicketError("ticket", f"a ticket that share() made, got {type(ticket).__name__}", FORGED) from None
    if kind == "array-interface/host":
        return open_host(ticket, user)
    if kind == "array-interface/cuda":
        return open_cuda(ticket, user)
    raise TicketError("ticket.kind", f"a ticket of host or CUDA memory, got {kind!r}", FORGED)


def share(array: Any) -> Ticket:
    """A ticket of an array, for another process: of device memory, by its `__cuda_array_interface__`, or of host memory
    that `empty` made, by the `__array_interface__` of any view of it. Work that the dict names comes before what openers
    do. Nothing is copied. The memory stays until the ticket is closed and nobody has it open. Raises TicketError for
    memory that cannot be shared, CudaError, and OSError where no more files may be open."""
    if isinstance(array, CudaArray):
        raise TicketError(
            "array", "memory of this process, got memory of another", "pass on the ticket that it was opened with"
        )
    device = getattr(array, "__cuda_array_interface__", None)
    if device is not None:
        return share_cuda(array, device)
    if isinstance(array, HostArray) or hasattr(array, "__array_interface__"):
        return share_host(array)
    raise TicketError(
        "array",
        f"an array with __cuda_array_interface__ or __array_interface__, got {type(array).__name__}",
        "share an array of NumPy in memory of array_interface.empty(), or of a library for CUDA",
    )
