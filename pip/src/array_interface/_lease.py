"""The files of CUDA tickets, which their sharer and their openers lock. docs/sharing.md specifies them."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import struct
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

from . import _form, _ticket_file
from ._errors import TicketError, not_there, replaced

NAME = "array-interface lease"
#: Openers lock this byte while they update their event.
_TURN_BYTE = 1 << 30
_LONGEST = 1 << 26
#: Seconds to wait for a lock that another process holds, and between two attempts.
LOCK_TIMEOUT = 5.0
_PAUSE = 0.001


class Lease:
    """The sharer's side: the valid tickets, and whether a process has opened one."""

    def __init__(self) -> None:
        self.nonce = os.urandom(16).hex()
        self._admitted: set[str] = set()
        self._file = os.memfd_create(NAME, os.MFD_CLOEXEC)
        try:
            os.write(self._file, self.nonce.encode())
        except BaseException:
            os.close(self._file)
            raise

    @property
    def path(self) -> str:
        return f"/proc/{os.getpid()}/fd/{self._file}"

    def admit(self, digest: str) -> None:
        """Add the digest of a ticket, so that openers accept it."""
        if digest not in self._admitted:
            os.write(self._file, digest.encode())
            self._admitted.add(digest)

    def try_end(self) -> bool:
        """End the lease. False if a process holds it. Does not block."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        os.truncate(self._file, 0)  # for a process that has opened it but not locked it yet
        os.close(self._file)
        return True


class LeaseLock:
    """An opener's side: a shared lock, which the system releases however this process ends."""

    def __init__(self, ticket: Mapping[str, Any], user: int | None = None) -> None:
        """Raises TicketError, and OSError if the process can open no more files."""
        self._moment = threading.Lock()
        self._file = _ticket_file.open_file(ticket["lease"], NAME, "a ticket's lease file", user)
        try:
            self._check(ticket)
        except BaseException:
            os.close(self._file)
            raise

    def _check(self, ticket: Mapping[str, Any]) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            raise not_there() from None
        text = os.pread(self._file, _LONGEST, 0).decode(errors="replace")
        if text == "":
            raise not_there()
        if not text.startswith(ticket["nonce"]):
            raise replaced()
        if ticket["digest"] not in text[len(ticket["nonce"]) :]:
            raise _form.altered()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Lock the openers' event. Blocks while another opener holds it, for a few seconds at most. Raises
        TicketError."""
        with self._moment:  # the file's lock does not exclude threads that share the file
            self._wait_for_lock()
            try:
                yield
            finally:
                self._lock(fcntl.F_UNLCK)

    def _wait_for_lock(self) -> None:
        until = time.monotonic() + LOCK_TIMEOUT
        while True:
            try:
                return self._lock(fcntl.F_WRLCK)
            except OSError as error:
                is_held = error.errno in (errno.EAGAIN, errno.EACCES)
                if not is_held or time.monotonic() >= until:
                    what = "one that another process holds" if is_held else str(error)
                    raise TicketError(
                        "ticket.lease",
                        f"a lock on the ticket's file, which orders work between processes, got {what}",
                        "release other locks on it, or copy the memory",
                    ) from None
            time.sleep(_PAUSE)

    def _lock(self, kind: int) -> None:
        # flock64: type, whence, start, length, process
        fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, struct.pack("hhqqi", kind, os.SEEK_SET, _TURN_BYTE, 1, 0))

    def leave(self) -> None:
        """Release the lock, once."""
        os.close(self._file)
