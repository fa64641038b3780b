"""Host memory in a file without a name, which processes map."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import threading
import weakref

from . import _ticket_file
from ._errors import FORGED, TicketError, is_out_of_files

NAME = "array-interface memory"
_WHAT = "a file of shareable memory that cannot shrink"
#: Bytes before the memory.
HEADER = 4096
#: Hexadecimal digits of the nonce, and of the key behind it.
NONCE = 32
KEY = 64
# These seals keep everyone from removing pages of the file, which would kill the processes that map it.
_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


class MemoryFile(mmap.mmap):
    """A file, mapped as long as this object lives, which every memoryview of it keeps alive."""

    is_own: bool
    #: Of the memory, behind the header.
    start: int
    byte_length: int
    nonce: bytes
    key: bytes
    path: str

    def __new__(cls, file: int, is_own: bool) -> MemoryFile:
        """Map a file, and keep it open if it is this process's own. The caller closes another process's file, and
        any file if this fails."""
        made = super().__new__(cls, file, 0)
        made.is_own = is_own
        made.byte_length = len(made) - HEADER
        made.start = ctypes.addressof(ctypes.c_char.from_buffer(made)) + HEADER
        made.nonce = made[:NONCE]
        made.key = made[NONCE : NONCE + KEY]
        made.path = f"/proc/{os.getpid()}/fd/{file}"
        if is_own:
            weakref.finalize(made, os.close, file)  # its path is the ticket
        return made

    def holds(self, address: int) -> bool:
        """Whether an address is that of one of its bytes, or the one after the last."""
        return self.start <= address <= self.start + self.byte_length


#: All files of this process. Files of other processes are found by their device and inode, so that each is mapped once.
_own: weakref.WeakSet[MemoryFile] = weakref.WeakSet()
_opened: weakref.WeakValueDictionary[tuple[int, int], MemoryFile] = weakref.WeakValueDictionary()
_lock = threading.RLock()


def make(byte_length: int) -> MemoryFile:
    """Allocate memory, filled with zeros. Raises MemoryError, and OSError if the process can open no more files."""
    file = os.memfd_create(NAME, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        _check_room(HEADER + byte_length)
        os.truncate(file, HEADER + byte_length)
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, _SEALS)
        os.pwrite(file, os.urandom((NONCE + KEY) // 2).hex().encode(), 0)
        made = MemoryFile(file, is_own=True)
    except BaseException as error:
        os.close(file)
        if not isinstance(error, (OSError, OverflowError)) or is_out_of_files(error):
            raise
        raise MemoryError(f"expected {byte_length} bytes of shareable memory, got none: {error}") from None
    with _lock:
        _own.add(made)
    return made


def _check_room(size: int) -> None:
    """Raise OSError if there is no room. Ordinary memory is tried first, which the system refuses; it would map a
    file regardless, and kill the process once pages are missing."""
    mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()


def find(address: int) -> MemoryFile | None:
    """The memory that contains an address, or ends at it."""
    with _lock:
        files = [*_own, *_opened.values()]
    return next((file for file in files if file.holds(address)), None)


def open_file(path: str, user: int | None) -> MemoryFile:
    """Open the memory of another process's file. Raises TicketError, MemoryError if there is no room for it, and
    OSError if the process can open no more files."""
    file = _ticket_file.open_file(path, NAME, _WHAT, user)
    try:
        status = os.fstat(file)
        if status.st_size <= HEADER or not _keeps_its_size(file):
            raise _foreign()
        with _lock:
            known = _opened.get((status.st_dev, status.st_ino))
            if known is None:
                _check_room(status.st_size)
                known = MemoryFile(file, is_own=False)
                _opened[status.st_dev, status.st_ino] = known
            return known
    except PermissionError:
        raise TicketError(
            "ticket.lease",
            "a writable file, got one that is sealed against writing",
            "leave out F_SEAL_WRITE and F_SEAL_FUTURE_WRITE",
        ) from None
    except OSError as error:
        if error.errno != errno.ENOMEM:
            raise
        raise MemoryError(f"expected room for a file of {status.st_size} bytes, got none") from None
    finally:
        os.close(file)


def _keeps_its_size(file: int) -> bool:
    try:
        return bool(fcntl.fcntl(file, fcntl.F_GET_SEALS) & fcntl.F_SEAL_SHRINK)
    except OSError:
        return False


def _foreign() -> TicketError:
    return TicketError("ticket.lease", f"{_WHAT}, got another or a stale one", FORGED)
