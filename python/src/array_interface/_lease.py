"""The files of CUDA tickets, which their sharer and their openers lock, as docs/sharing.md says."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from . import _form
from ._errors import FORGED, TicketError, is_out_of_files, not_there, replaced

NAME = "array-interface lease"
#: Openers move their event while they have locked this byte.
_TURN_BYTE = 1 << 30
_LONGEST = 1 << 26


class Lease:
    """The sharer's side: the tickets that hold, and whether somebody has opened one."""

    def __init__(self) -> None:
        self.nonce = os.urandom(16).hex()
        self._file = os.memfd_create(NAME, os.MFD_CLOEXEC)
        self._admitted: set[str] = set()
        os.write(self._file, self.nonce.encode())

    @property
    def path(self) -> str:
        return f"/proc/{os.getpid()}/fd/{self._file}"

    def admit(self, digest: str) -> None:
        """Lets openers find the digest of a ticket."""
        if digest not in self._admitted:
            os.write(self._file, digest.encode())
            self._admitted.add(digest)

    def try_end(self) -> bool:
        """Ends the lease. False: somebody holds it. Does not wait."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        os.truncate(self._file, 0)  # for a process that has it open but not yet locked
        os.close(self._file)
        return True


class Tenancy:
    """An opener's side: a shared lock, which the system drops however this process ends."""

    def __init__(self, ticket: Mapping[str, Any]) -> None:
        """Raises TicketError, and OSError where no more files may be open."""
        self._moment = threading.Lock()
        path = ticket["lease"]
        try:
            # Opens nothing else that the path may name: a pipe or a device could block or have effects.
            if not os.readlink(path).startswith(f"/memfd:{NAME}"):
                raise TicketError("ticket.lease", "the file of a lease, got another or a stale one", FORGED)
            self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
        except OSError as error:
            if is_out_of_files(error):
                raise
            raise not_there() from None
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
        """Nobody else moves the openers' event meanwhile. Waits for the others' moment."""
        with self._moment:  # the lock of the file does not part threads that share it
            self._lock(fcntl.F_WRLCK)
            try:
                yield
            finally:
                self._lock(fcntl.F_UNLCK)

    def _lock(self, kind: int) -> None:
        # flock64: type, whence, start, length, process
        fcntl.fcntl(self._file, fcntl.F_OFD_SETLKW, struct.pack("hhqqi", kind, os.SEEK_SET, _TURN_BYTE, 1, 0))

    def leave(self) -> None:
        """Gives up the lock, once."""
        os.close(self._file)
