"""Tickets that this process made."""

from __future__ import annotations

from typing import Any, TypeVar

_T = TypeVar("_T", bound="Ticket")
#: What keeps the memory of tickets that nobody has closed.
_open: dict[int, Ticket] = {}


class Ticket(dict[str, Any]):
    """A ticket of this process: a dict of plain data, for `json.dumps` or any other message.

    The memory stays until the ticket is closed, by `close()` or at the end of a `with` block, and then as long as a
    process has it open. Close it once the other process says that it has opened it. A ticket that nobody closes keeps
    the memory as long as this process.
    """

    def __init__(self, fields: dict[str, Any], memory: object) -> None:
        super().__init__(fields)
        self._memory: object = memory
        _open[id(self)] = self

    def close(self) -> None:
        """Nobody opens it from now on. Those who have opened it keep the memory. Does not wait."""
        _open.pop(id(self), None)
        self._memory = None

    def __enter__(self: _T) -> _T:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return (dict, (dict(self),))  # another process gets the plain data
