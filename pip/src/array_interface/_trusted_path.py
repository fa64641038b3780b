"""Who could change the code at a path."""

from __future__ import annotations

import ctypes
import os
import stat

#: The number of symbolic links that Linux follows.
_MOST_LINKS = 40
#: The entry of a process's auxiliary vector that reports elevated rights (Linux, `man getauxval`).
_AT_SECURE = 23


def why_untrusted(file: str) -> str | None:
    """Describe who, besides root and this process's user, could change what a path refers to, and what to do. None
    if nobody can. Checks each folder on the way, each symbolic link and its target, and the file. Also None if the
    path does not exist and nobody else could create it: there is nothing to load."""
    # Resolved as the system does: .. is the parent of a link's target, not of the link.
    at, left = "/", _parts(os.path.join(os.getcwd(), file))
    links = 0
    folder: os.stat_result | None = None  # the folder that contains the current part
    while links <= _MOST_LINKS:
        try:
            status = os.lstat(at)
            why = _why_not(at, status)
            if why is not None:
                return why
            if stat.S_ISLNK(status.st_mode):
                links += 1
                target = os.readlink(at)
                at = "/" if os.path.isabs(target) else os.path.dirname(at)
                left = _parts(target) + left
                continue
            folder = status
        except FileNotFoundError:
            if folder is None or not _is_open_to_others(folder):
                return None
            above = os.path.dirname(at)
            return f"{at} does not exist, and other users may create it in {above}; create it, or use another path"
        except (NotADirectoryError, PermissionError):
            return None
        except OSError as error:
            return f"{at} cannot be inspected ({error.strerror}); use another path"
        if not left:
            return None
        # This is what .. refers to, since no link is left in it.
        at = os.path.normpath(os.path.join(at, left.pop(0)))
    return f"{file} leads through more than {_MOST_LINKS} symbolic links; use the file's real path"


def is_elevated() -> bool:
    """Whether this process has rights that its starter need not have. Environment variables must not name code then."""
    return bool(ctypes.CDLL(None).getauxval(_AT_SECURE))


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _why_not(part: str, status: os.stat_result) -> str | None:
    user, mode = os.geteuid(), status.st_mode
    if status.st_uid not in (0, user):
        return (
            f"{part} belongs to user {status.st_uid}, not to root or to you (user {user}); use a path of your own"
        )
    # In a sticky folder, such as the temporary one, only an entry's owner can remove or rename it.
    if stat.S_ISLNK(mode) or (stat.S_ISDIR(mode) and mode & stat.S_ISVTX):
        return None
    if mode & stat.S_IWOTH:
        return f"{part} may be written by every user; run chmod o-w {part} if you trust what is there"
    if _is_open_to_others(status):
        return f"{part} may be written by group {status.st_gid}; run chmod g-w {part} if you trust what is there"
    return None


def _is_open_to_others(status: os.stat_result) -> bool:
    """Whether other users can write to a file. If it has an access list, its mode's group bits are the most that the
    list grants to anyone it names."""
    # A group with the user's own number contains only the user, as Fedora and others set it up.
    by_group = status.st_mode & stat.S_IWGRP and status.st_gid not in (0, os.geteuid())
    return bool(by_group or status.st_mode & stat.S_IWOTH)
