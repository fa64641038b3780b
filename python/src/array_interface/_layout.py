"""Where the elements of an array lie in its memory."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._errors import TicketError

_TYPESTR = re.compile(r"[<>|]([biufcmMSUV])(\d+)(\[[^\]]*\])?")


def itemsize_of(typestr: str, path: str) -> int:
    """Bytes of one element. Raises TicketError for what NumPy's array interface does not have."""
    match = _TYPESTR.fullmatch(typestr)
    if match is None:
        raise TicketError(
            path, f"a typestr such as '<f4', got {typestr!r}", "give numpy.dtype(...).str, or a dtype of NumPy's"
        )
    return int(match[2]) * (4 if match[1] == "U" else 1)


@dataclass(frozen=True)
class Layout:
    """Shape, strides and element of an array. Offset and strides count bytes."""

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
        """Whether the elements lie one behind another in C order."""
        return self.size == 0 or all(
            length == 1 or stride == dense
            for length, stride, dense in zip(self.shape, self.strides, dense_strides(self.shape, self.itemsize))
        )

    @property
    def extent(self) -> tuple[int, int]:
        """The bytes that the elements touch, from the first byte of the memory."""
        if self.size == 0:
            return (0, 0)
        steps = [(length - 1) * stride for length, stride in zip(self.shape, self.strides)]
        low = self.offset + sum(min(step, 0) for step in steps)
        return (low, self.offset + sum(max(step, 0) for step in steps) + self.itemsize)

    def check_within(self, byte_length: int, path: str) -> None:
        """Raises TicketError for elements outside the memory."""
        low, high = self.extent
        if 0 <= low and high <= byte_length:
            return
        raise TicketError(
            path, f"elements within {byte_length} bytes, got bytes {low} to {high}", "check shape, strides and offset"
        )

    def interface(self, start: int, **more: Any) -> dict[str, Any]:
        """The dict of an array interface, for memory that begins at an address."""
        described = {} if self.descr is None else {"descr": _tuples(self.descr)}
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
        """As the last fields of a ticket."""
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
        """The layout of a ticket that has the right form. Raises TicketError."""
        shape, strides = tuple(ticket["shape"]), tuple(ticket["byteStrides"])
        if len(shape) != len(strides) or any(length < 0 for length in shape):
            raise TicketError("ticket.shape", f"lengths with as many strides, got {shape}", "share the array again")
        itemsize_of(ticket["typestr"], "ticket.typestr")
        return Layout(ticket["offset"], shape, strides, ticket["typestr"], ticket["descr"], ticket["readOnly"])

    @staticmethod
    def of_interface(interface: Mapping[str, Any], start: int) -> Layout:
        """The layout of an object's dict in memory that begins at an address. Raises TicketError."""
        if interface.get("mask") is not None:
            raise TicketError("mask", "an array without a mask, got a masked one", "share its data and its mask apart")
        shape = tuple(int(length) for length in interface["shape"])
        typestr = str(interface["typestr"])
        strides = interface.get("strides") or dense_strides(shape, itemsize_of(typestr, "typestr"))
        pointer, read_only = interface["data"]
        return Layout(
            offset=int(pointer or 0) - start if math.prod(shape) else 0,
            shape=shape,
            strides=tuple(int(stride) for stride in strides),
            typestr=typestr,
            descr=record_of(interface.get("descr"), typestr),
            read_only=bool(read_only),
        )


def dense_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """The strides of a C-contiguous array."""
    strides: list[int] = []
    for length in reversed(shape):
        strides.insert(0, itemsize)
        itemsize *= max(length, 1)
    return tuple(strides)


def record_of(descr: Any, typestr: str) -> list[Any] | None:
    """The fields of a record as lists. None for what is no record."""
    if descr is None or typestr[1] != "V":
        return None
    listed = [_listed(entry) for entry in descr]
    return None if len(listed) == 1 and listed[0][0] == "" else listed


def _listed(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_listed(part) for part in value]
    return value if isinstance(value, str) else int(value)


def _tuples(descr: list[Any]) -> list[Any]:
    def entry(name: Any, kind: Any, *shape: Any) -> tuple[Any, ...]:
        name = tuple(name) if isinstance(name, list) else name
        return (name, _tuples(kind) if isinstance(kind, list) else kind, *map(tuple, shape))

    return [entry(*parts) for parts in descr]
