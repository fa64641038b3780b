"""What arrays in host and in device memory have in common."""

from __future__ import annotations

from typing import TypeVar

from ._layout import Layout

_T = TypeVar("_T", bound="SharedArray")


class SharedArray:
    """The layout of an array, and how it ends."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._is_closed = False
        #: Whether a library has read the interface. Its arrays keep this object then, and the memory with it.
        self._is_lent = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self._layout.shape

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next on each axis."""
        return self._layout.strides

    @property
    def typestr(self) -> str:
        """The type of one element, as NumPy's array interface writes it."""
        return self._layout.typestr

    @property
    def read_only(self) -> bool:
        """Whether the sharer asks openers not to write."""
        return self._layout.read_only

    def __len__(self) -> int:
        """The length of the first axis."""
        if not self.shape:
            raise TypeError("expected an array with an axis, got one without; use shape")
        return self.shape[0]

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self: _T) -> _T:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._is_closed:
            raise ValueError("expected an open array, got one that was closed; close it after the last use")
