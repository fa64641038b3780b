"""Opening and sharing, for every kind of memory."""

from __future__ import annotations

import reprlib
from typing import Any

from ._cuda import CudaArray, open_cuda, share_cuda
from ._errors import FORGED, TicketError
from ._host import HostArray, open_host, share_host
from ._tickets import Ticket

_HOST = "array-interface/host"
_CUDA = "array-interface/cuda"


def open_ticket(ticket: Any, *, user: int | None = None) -> HostArray | CudaArray:
    """Open the array of a ticket that another process made, with Node's `host.share` or `cuda.share`, or with `share`
    here. The array lies in the sharer's own memory; nothing is copied. If you know its kind of memory, call
    `open_host_ticket` or `open_cuda_ticket`, whose results have one type.

    `user` is the number of the user whose processes made the ticket. The default is this process's effective user, even
    for root.

    Raises TicketError if the ticket is altered, forged, stale, another user's or this process's own; CudaError;
    MemoryError if there is no room for host memory; OSError if the process can open no more files.
    """
    kind = _kind_of(ticket)
    if kind == _HOST:
        return open_host(ticket, user)
    if kind == _CUDA:
        return open_cuda(ticket, user)
    raise _unexpected("a ticket of host or CUDA memory", kind, FORGED)


def open_host_ticket(ticket: Any, *, user: int | None = None) -> HostArray:
    """Open the array of a ticket of host memory, as `open_ticket` does. Raises TicketError for a ticket of other memory
    too."""
    kind = _kind_of(ticket)
    if kind != _HOST:
        raise _unexpected("a ticket of host memory", kind, "open a ticket of CUDA memory with open_cuda_ticket")
    return open_host(ticket, user)


def open_cuda_ticket(ticket: Any, *, user: int | None = None) -> CudaArray:
    """Open the array of a ticket of CUDA memory, as `open_ticket` does. Raises TicketError for a ticket of other memory
    too."""
    kind = _kind_of(ticket)
    if kind != _CUDA:
        raise _unexpected("a ticket of CUDA memory", kind, "open a ticket of host memory with open_host_ticket")
    return open_cuda(ticket, user)


def _kind_of(ticket: Any) -> object:
    try:
        kind: object = ticket["kind"]
    except (TypeError, LookupError):
        raise TicketError("ticket", f"a ticket that share() made, got {type(ticket).__name__}", FORGED) from None
    return kind


def _unexpected(expected: str, kind: object, cure: str) -> TicketError:
    return TicketError("ticket.kind", f"{expected}, got {reprlib.repr(kind)}", cure)


def share(array: Any) -> Ticket:
    """Make a ticket of an array, for another process. Shares device memory by its `__cuda_array_interface__`, and host
    memory that `empty` made by the `__array_interface__` of any view of it. Nothing is copied.

    Openers' work is ordered after the work that the dict names. The memory stays until the ticket is closed and no
    process has it open.

    Raises TicketError if the memory cannot be shared; CudaError; OSError if the process can open no more files.
    """
    if isinstance(array, CudaArray):
        raise TicketError(
            "array", "memory of this process, got another's", "pass on the ticket that it was opened with"
        )
    device = getattr(array, "__cuda_array_interface__", None)
    if device is not None:
        return share_cuda(array, device)
    if isinstance(array, HostArray) or hasattr(array, "__array_interface__"):
        return share_host(array)
    raise TicketError(
        "array",
        f"an array with __cuda_array_interface__ or __array_interface__, got {type(array).__name__}",
        "share a NumPy array in memory of array_interface.empty(), or an array of a CUDA library",
    )
