"""Arrays in device memory that processes share."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import weakref
from collections.abc import Iterator
from typing import Any

from . import _form
from ._array import SharedArray
from ._driver import LEGACY_STREAM, CudaError, Driver, driver, handle_of
from ._errors import FORGED, TicketError
from ._layout import Layout
from ._lease import Lease, LeaseLock
from ._tickets import Ticket


#: CUDA_ERROR_INVALID_VALUE, _INVALID_DEVICE, _INVALID_CONTEXT (a handle of this very process), _MAP_FAILED,
#: _INVALID_HANDLE
_REFUSALS = (1, 101, 201, 205, 400)


class _Sharer:
    """Memory of this process that has tickets, the arrays that keep it, and the two events that order work on it."""

    def __init__(self, device: int, start: int, stream: int) -> None:
        self._owners: dict[int, object] = {}
        self._moment = threading.Lock()
        self.device = device
        #: The ids of the tickets that are not closed.
        self.tickets: set[int] = set()
        with driver().on(device), contextlib.ExitStack() as undo:
            self.memory = driver().memory_handle(start)
            self.ready, self.back = (_owned(driver().make_event(), undo) for _ in range(2))
            for event in (self.ready, self.back):
                driver().record(event, stream)
            self.handles = {"ready": driver().event_handle(self.ready), "back": driver().event_handle(self.back)}
            self.lease = Lease()
            self._events = undo.pop_all()

    def keep(self, array: object) -> None:
        """Keep an array: once it is freed, a pool gives its part of the allocation to other arrays."""
        self._owners[id(array)] = array

    def record(self, stream: int) -> None:
        """Order openers' later work after the stream's work so far."""
        with driver().on(self.device), self._moment:  # another thread's record between these two would be lost
            driver().wait(stream, self.ready)  # the event then still covers what it covered before
            driver().record(self.ready, stream)

    def wait(self, stream: int) -> None:
        """Order the stream's later work after openers' work so far."""
        with driver().on(self.device):
            driver().wait(stream, self.back)

    def try_end(self) -> bool:
        if self.tickets or not self.lease.try_end():
            return False
        with driver().on(self.device):
            self._events.close()
        return True


def _owned(event: int, undo: contextlib.ExitStack) -> int:
    undo.callback(driver().destroy_event, event)
    return event


#: By device and first byte.
_sharers: dict[tuple[int, int], _Sharer] = {}
#: Held while `_sharers` is read or changed, as deep as `_depth` says.
_lock = threading.RLock()
_depth = 0


@contextlib.contextmanager
def _alone() -> Iterator[bool]:
    """Hold the lock. False if the thread held it before: Python may collect a ticket in the middle of any call."""
    global _depth
    with _lock:
        _depth += 1
        try:
            yield _depth == 1
        finally:
            _depth -= 1


def collect() -> int:
    """Release device memory whose tickets are closed and that no other process has open any more. Return the number
    of memories that are left. The package calls this itself whenever tickets are made, opened, closed and collected."""
    with _alone() as is_outermost:
        if is_outermost:
            _collect()
        return len(_sharers)


def _collect() -> None:
    for key, sharer in list(_sharers.items()):
        if sharer.try_end():
            del _sharers[key]


class CudaTicket(Ticket):
    """A ticket of device memory. It keeps the shared array until it is closed, as `Ticket` describes."""

    def __init__(self, fields: dict[str, Any], sharer: _Sharer) -> None:
        super().__init__(fields, sharer)
        sharer.tickets.add(id(self))
        self._end = weakref.finalize(self, _leave, sharer, id(self), os.getpid())
        self._end.atexit = False

    def record(self, stream: Any) -> None:
        """Order openers' later work after the work that this process has enqueued on a stream. Does not block."""
        self._sharer().record(handle_of(stream))

    def wait(self, stream: Any) -> None:
        """Order a stream's later work after the work that openers have enqueued so far. Does not block."""
        self._sharer().wait(handle_of(stream))

    def close(self) -> None:
        super().close()
        self._end()

    def _sharer(self) -> _Sharer:
        if isinstance(self._memory, _Sharer):
            return self._memory
        raise ValueError("expected an open ticket, got one that was closed; close it after the last use")


def _leave(sharer: _Sharer, ticket: int, maker: int) -> None:
    """End a ticket that was closed or collected, unless this process is a fork of the one that made it."""
    if os.getpid() == maker:
        sharer.tickets.discard(ticket)
        collect()


def share_cuda(array: object, interface: dict[str, Any]) -> CudaTicket:
    """Make a ticket of device memory, ordered after the pending work that the dict names. Raises TicketError,
    CudaError, OSError."""
    with _alone():
        _collect()
        return _share(array, interface)


def _share(array: object, interface: dict[str, Any]) -> CudaTicket:
    layout = Layout.of_interface(interface)
    if layout.offset == 0:
        raise TicketError("array", "device memory, got an array without elements", "send its shape and dtype")
    device, start, byte_length = _shareable(layout.offset)
    layout = layout.within(start)
    layout.check_within(byte_length, "array")
    stream = int(interface.get("stream") or LEGACY_STREAM)
    sharer = _sharers.get((device, start))
    if sharer is None:
        sharer = _sharers[device, start] = _Sharer(device, start, stream)
    else:
        sharer.record(stream)
    sharer.keep(array)
    fields: dict[str, Any] = {
        "kind": "array-interface/cuda",
        "version": 1,
        "lease": sharer.lease.path,
        "nonce": sharer.lease.nonce,
        "device": driver().uuids()[device],
        "memory": sharer.memory,
        **sharer.handles,
        "byteLength": byte_length,
        **layout.fields(),
    }
    fields["digest"] = _digest(fields)
    sharer.lease.admit(fields["digest"])
    return CudaTicket(fields, sharer)


def _shareable(pointer: int) -> tuple[int, int, int]:
    """Return the device, first byte and length of the allocation that contains an address. Raises TicketError."""
    copy = "copy it into memory of cuMemAlloc or cudaMalloc, and share the copy"
    try:
        with driver().on_any():
            device = driver().device_of(pointer)
            managed = driver().is_managed(pointer)
        with driver().on(device):
            start, byte_length = driver().range_of(pointer)
            driver().memory_handle(start)
    except CudaError as error:
        raise TicketError("array", f"device memory that the driver can share, got: {error}", copy) from None
    if managed:
        raise TicketError("array", "device memory, got managed memory, which cannot be shared", copy)
    return device, start, byte_length


class CudaArray(SharedArray):
    """An array in another process's device memory.

    Any library that reads `__cuda_array_interface__` works on it in place, ordered after the sharer's work, and keeps
    this object for as long. Leave the `with` block once all work on it is enqueued. That ends this object's own hold.
    The memory is closed once no array made from it is left.
    """

    def __init__(self, fields: dict[str, Any], layout: Layout, device: int, lock: LeaseLock) -> None:
        super().__init__(layout)
        self._device = device
        self._lock = lock
        with driver().on(device), contextlib.ExitStack() as undo:
            with _refusing_forged():
                self._start = driver().open_memory(fields["memory"])
                undo.callback(driver().close_memory, self._start)
                self._ready, self._back = (
                    _owned(driver().open_event(fields[name]), undo) for name in ("ready", "back")
                )
            _check_extent(self._start, fields["byteLength"])
            self._stream = driver().make_stream()
            undo.callback(driver().destroy_stream, self._stream)
            self._wait()
            undo.callback(driver().synchronize)  # runs first: other libraries may still work there
            self._end = weakref.finalize(self, _close, driver(), device, undo.pop_all(), lock)

    @property
    def device(self) -> int:
        """The index of the device in this process."""
        return self._device

    @property
    def stream(self) -> int:
        """The handle of a stream for work on the array. It synchronizes with the legacy default stream, which
        libraries use when they are given none."""
        self._check_open()
        return self._stream

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The CUDA Array Interface, version 3. Its stream waits for what the sharer and other openers have enqueued
        so far."""
        self._check_open()
        self._is_lent = True
        self._wait()
        return self._layout.interface(self._start, stream=self._stream)

    def record(self, stream: Any = None) -> None:
        """Order later work of the sharer and of other openers after the work on a stream so far: by default the
        array's own stream, or the legacy default stream. Blocks while another opener holds the lock, for at most 5
        seconds; raises TicketError after that."""
        self._check_open()
        queue = self._stream if stream is None else handle_of(stream)
        with driver().on(self._device), self._lock.turn():
            driver().wait(queue, self._back)
            driver().record(self._back, queue)

    def close(self) -> None:
        """Record, and end this object. If another opener holds the lock for 5 seconds, block until the device's work
        has ended instead. If no library has read its interface, the memory is closed immediately, once all work of
        the device has ended. Otherwise it is closed when the last array made from it is freed."""
        if self._is_closed:
            return
        try:
            self.record()
        except TicketError:  # the others cannot be notified of this process's work, so it must end before they continue
            with driver().on(self._device):
                driver().synchronize()
        self._is_closed = True
        if not self._is_lent:
            self._end()

    def __repr__(self) -> str:
        return f"CudaArray(shape={self.shape}, typestr={self.typestr!r}, device={self._device})"

    def _wait(self) -> None:
        with driver().on(self._device):
            for event in (self._ready, self._back):
                driver().wait(self._stream, event)


def open_cuda(ticket: Any, user: int | None) -> CudaArray:
    """Open the array of a ticket. Raises TicketError, CudaError, OSError."""
    collect()
    fields = _form.read(ticket, _form.CUDA)
    layout = Layout.of_ticket(fields)  # before the digest, since fields nested too deep would break it
    if _digest(fields) != fields["digest"]:
        raise _form.altered()
    layout.check_within(fields["byteLength"], "ticket")
    lock = LeaseLock(fields, user)
    try:
        return CudaArray(fields, layout, _device_of(fields["device"]), lock)
    except BaseException:
        lock.leave()
        raise


@contextlib.contextmanager
def _refusing_forged() -> Iterator[None]:
    """Turn the driver's refusal of a handle into a TicketError."""
    try:
        yield
    except CudaError as error:
        if error.status not in _REFUSALS:
            raise
        raise TicketError("ticket.memory", f"handles that the driver can open, got: {error}", FORGED) from None


def _check_extent(start: int, byte_length: int) -> None:
    """Check the sharer's claim against the real allocation. Raises TicketError."""
    first, length = driver().range_of(start)
    extent = first + length - start
    if byte_length <= extent:
        return
    raise TicketError(
        "ticket.byteLength",
        f"at most {extent} bytes, the size of the allocation, got {byte_length}",
        FORGED,
    )


def _device_of(uuid: str) -> int:
    uuids = driver().uuids()
    if uuid in uuids:
        return uuids.index(uuid)
    raise TicketError(
        "ticket.device",
        f"a ticket of a device of this process, got one of {uuid}",
        "let both processes see the device (CUDA_VISIBLE_DEVICES)",
    )


def _close(cuda: Driver, device: int, opened: contextlib.ExitStack, lock: LeaseLock) -> None:
    try:
        with cuda.on(device):
            opened.close()
    finally:
        lock.leave()


def _digest(fields: dict[str, Any]) -> str:
    return hashlib.sha256(_form.text_of(fields, _form.CUDA)).hexdigest()
