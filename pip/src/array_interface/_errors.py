"""Errors of tickets."""

from __future__ import annotations

import errno

FORGED = "pass on what share() returned, unchanged"


class TicketError(ValueError):
    """A ticket that cannot be opened, or memory that cannot be shared. The message begins with the code and the path,
    and states what was expected, what was found, and what to do."""

    def __init__(self, path: str, expected_and_got: str, cure: str) -> None:
        super().__init__(f"[ERR_TICKET] {path}: expected {expected_and_got}; {cure}")
        #: The part of the ticket or argument that is wrong, such as `ticket.lease`.
        self.path = path


def not_there() -> TicketError:
    """The error for a ticket whose file is gone."""
    return TicketError(
        "ticket.lease",
        "a ticket of memory that still exists, got a stale one: its sharer ended, freed the memory, or is "
        "another user",
        "keep the array until the other process has opened it, and share it again",
    )


def replaced() -> TicketError:
    """The error for a ticket whose file has been replaced by another."""
    return TicketError(
        "ticket.lease",
        "the memory that the ticket was made of, got a stale ticket, whose file was replaced by another",
        "share the array again",
    )


def is_out_of_files(error: Exception) -> bool:
    """Whether the process can open no more files, which is not the ticket's fault."""
    return isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)
