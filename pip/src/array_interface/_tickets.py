"""Tickets that this process made."""

from __future__ import annotations

from typing import Any, TypeVar

_T = TypeVar("_T", bound="Ticket")


class Ticket(dict[str, Any]):
    """A ticket of this process: a dict of plain data, for `json.dumps` or any other message.

    The memory stays until the ticket is closed, by `close()`, at the end of a `with` block, or when nothing refers to
    the ticket any more, and after that as long as a process has it open. Keep the ticket until the other process has
    confirmed that it opened it.
    """

    def __init__(self, fields: dict[str, Any], memory: object) -> None:
        super().__init__(fields)
        self._memory: object = memory

    def close(self) -> None:
        """Close the ticket: it cannot be opened from now on. Processes that have opened it keep the memory. Does not
        block."""
        self._memory = None

    def __enter__(self: _T) -> _T:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return (dict, (dict(self),))  # another process gets the plain data
