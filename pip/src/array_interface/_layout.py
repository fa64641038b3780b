"""The layout of an array's elements in its memory."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import Any

from ._element import MAX_RANK, itemsize_of, record_of, tuples_of
from ._errors import FORGED, TicketError


#: The largest integer that Node counts exactly.
MOST_BYTES = 2**53 - 1


@dataclass(frozen=True)
class Layout:
    """Shape, strides and element type of an array. Offset and strides count bytes."""

    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    typestr: str
    descr: list[Any] | None
    read_only: bool

    @property
    def itemsize(self) -> int:
        return itemsize_of(self.typestr, "typestr")

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements are contiguous in C order."""
        return self.size == 0 or all(
            length == 1 or stride == dense
            for length, stride, dense in zip(self.shape, self.strides, dense_strides(self.shape, self.itemsize))
        )

    @property
    def extent(self) -> tuple[int, int]:
        """The range of bytes that the elements cover, from the first byte of the memory."""
        if self.size == 0:
            return (0, 0)
        steps = [(length - 1) * stride for length, stride in zip(self.shape, self.strides)]
        low = self.offset + sum(min(step, 0) for step in steps)
        return (low, self.offset + sum(max(step, 0) for step in steps) + self.itemsize)

    def check_within(self, byte_length: int, path: str) -> None:
        """Raise TicketError if elements lie outside the memory."""
        low, high = self.extent
        if 0 <= low and high <= byte_length:
            return
        raise TicketError(
            path, f"elements within {byte_length} bytes, got bytes {low} to {high}", "check shape, strides and offset"
        )

    def interface(self, start: int, **more: Any) -> dict[str, Any]:
        """The dict of an array interface, for memory that begins at an address."""
        described = {} if self.descr is None else {"descr": tuples_of(self.descr)}
        return {
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.typestr,
            "data": (start + self.offset, self.read_only),
            "version": 3,
            **described,
            **more,
        }

    def fields(self) -> dict[str, Any]:
        """The last fields of a ticket."""
        return {
            "offset": self.offset,
            "shape": list(self.shape),
            "byteStrides": list(self.strides),
            "typestr": self.typestr,
            "descr": self.descr,
            "readOnly": self.read_only,
        }

    @staticmethod
    def of_ticket(ticket: Mapping[str, Any]) -> Layout:
        """The layout of a ticket, whose form must have been checked. Raises TicketError."""
        shape, strides = tuple(ticket["shape"]), tuple(ticket["byteStrides"])
        check_rank(shape, "ticket.shape")
        if len(shape) != len(strides) or any(length < 0 for length in shape):
            raise TicketError(
                "ticket.shape", f"a length and a stride for each axis, got {shape}", "share the array again"
            )
        itemsize = itemsize_of(ticket["typestr"], "ticket.typestr")
        if math.prod(shape) * max(itemsize, 1) > MOST_BYTES:
            raise TicketError("ticket.shape", f"at most {MOST_BYTES} bytes of elements, got {shape}", FORGED)
        descr = record_of(ticket["descr"], ticket["typestr"], "ticket.descr")
        return Layout(ticket["offset"], shape, strides, ticket["typestr"], descr, ticket["readOnly"])

    @staticmethod
    def of_interface(interface: Any) -> Layout:
        """The layout of an object's interface dict. Its offset is the dict's address. Raises TicketError."""
        if not isinstance(interface, Mapping):
            raise _misread("array", "an array whose interface is a dict", interface)
        if interface.get("mask") is not None:
            raise TicketError("mask", "an array without a mask, got a masked one", "share its data and mask separately")
        shape = _integers(interface, "shape")
        check_rank(shape, "shape")
        if min(shape, default=0) < 0:
            raise _misread("shape", "lengths of 0 or more", shape)
        typestr = interface.get("typestr")
        if not isinstance(typestr, str):
            raise _misread("typestr", "a typestr such as '<f4'", typestr)
        strides = dense_strides(shape, itemsize_of(typestr, "typestr"))
        if interface.get("strides") is not None:
            strides = _integers(interface, "strides")
        if len(strides) != len(shape):
            raise _misread("strides", f"one stride for each of {len(shape)} axes", strides)
        pointer, read_only = _data(interface)
        descr = record_of(interface.get("descr"), typestr, "descr")
        return Layout(pointer, shape, strides, typestr, descr, read_only)

    def within(self, start: int) -> Layout:
        """The same layout, with the offset from the start of the memory; 0 for an array without elements."""
        return replace(self, offset=self.offset - start if self.size else 0)


def check_rank(shape: Sequence[int], path: str) -> None:
    """Raise TicketError if there are more dimensions than an array may have."""
    if len(shape) <= MAX_RANK:
        return
    raise TicketError(path, f"at most {MAX_RANK} dimensions, got {len(shape)}", "reshape the array")


def dense_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """The strides of a C-contiguous array."""
    strides: list[int] = []
    for length in reversed(shape):
        strides.insert(0, itemsize)
        itemsize *= max(length, 1)
    return tuple(strides)


def _integers(interface: Mapping[str, Any], key: str) -> tuple[int, ...]:
    try:
        return tuple(map(index, interface[key]))
    except (LookupError, TypeError):
        raise _misread(key, "integers", interface.get(key)) from None


def _data(interface: Mapping[str, Any]) -> tuple[int, bool]:
    try:
        pointer, read_only = interface["data"]
        return index(pointer or 0), bool(read_only)
    except (LookupError, TypeError, ValueError):
        raise _misread("data", "an address and whether it is read-only", interface.get("data")) from None


def _misread(path: str, expected: str, got: object) -> TicketError:
    return TicketError(path, f"{expected}, got {reprlib.repr(got)}", "set it as NumPy's array interface specifies")
