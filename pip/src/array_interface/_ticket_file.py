"""The files that tickets name: opening them, and checking what they are and who owns them."""

from __future__ import annotations

import functools
import os
import stat

from ._errors import FORGED, TicketError, is_out_of_files, not_there


def open_file(path: str, name: str, what: str, user: int | None) -> int:
    """Open the file `name` that a process of a user made for its tickets. The default user is this process's effective
    one. Errors call the file `what`.

    Opens no other file, even if the path changes meanwhile: opening a pipe or a device could block, or have side
    effects. Does not block. Raises TicketError, and OSError if the process can open no more files.
    """
    try:
        found = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            return _open_found(found, path, name, what, os.geteuid() if user is None else user)
        finally:
            os.close(found)
    except OSError as error:
        if is_out_of_files(error):
            raise
        raise not_there() from None


def _open_found(found: int, path: str, name: str, what: str, user: int) -> int:
    """Open what a descriptor refers to. All checks use the descriptor, since the path may have changed."""
    itself = f"/proc/self/fd/{found}"
    foreign = TicketError("ticket.lease", f"{what}, got another or a stale one", FORGED)
    mount, device = _place_of_memory()
    # Checked first, since the system itself answers these. Another file's file system may be a process (FUSE), which
    # need not answer.
    if os.readlink(itself).removesuffix(" (deleted)") != f"/memfd:{name}" or _mount_of(found) != mount:
        raise foreign
    status = os.fstat(found)
    if not stat.S_ISREG(status.st_mode) or status.st_dev != device:
        raise foreign
    _check_process(path)
    _check_owner(status.st_uid, user)
    return os.open(itself, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)


@functools.cache
def _place_of_memory() -> tuple[bytes, int]:
    """The mount and the device of all files that memfd_create makes. Other files may have the same name."""
    file = os.memfd_create("array-interface device", os.MFD_CLOEXEC)
    try:
        return _mount_of(file), os.fstat(file).st_dev
    finally:
        os.close(file)


def _mount_of(file: int) -> bytes:
    """The number of a file's mount. Empty if the system does not report it."""
    with open(f"/proc/self/fdinfo/{file}", "rb") as facts:
        return next((line.split()[1] for line in facts if line.startswith(b"mnt_id:")), b"")


def _check_process(path: str) -> None:
    """Raise TicketError if the path does not name a process. The system also finds every thread in /proc by its
    number, with its process's files, so this process's own ticket could look like another's."""
    number = path.split("/")[2]
    with open(f"/proc/{number}/status", "rb") as status:
        group = next((line.split()[1] for line in status if line.startswith(b"Tgid:")), b"")
    if group != number.encode():
        raise TicketError("ticket.lease", "the sharer's process ID, got the ID of a thread", FORGED)


def _check_owner(owner: int, user: int) -> None:
    if owner == user:
        return
    raise TicketError(
        "ticket.lease",
        f"a ticket made by a process of user {user}, got one made by user {owner}",
        f"let both processes run as one user, or, if you trust user {owner} with this process's memory, pass "
        f"user={owner} to open_ticket",
    )
