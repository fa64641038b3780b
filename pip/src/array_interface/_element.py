"""The type of one element: a typestr, and the fields of a record, as NumPy's array interface writes them."""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Iterator
from operator import index
from typing import Any

from ._errors import TicketError

#: The limit of Node and NumPy.
MAX_RANK = 64
_TYPESTR = re.compile(
    r"""[<>|](?: b1 | [iu][1248] | f(?:2|4|8|16) | c(?:8|16|32)
    | [SUV](?:0|[1-9][0-9]{0,14})  # fewer digits than 2**53 has
    | [mM]8(?:\[(?:generic|(?:[1-9][0-9]{0,8})?(?:[YMWDhms]|[munpfa]s))\])? )""",
    re.VERBOSE,
)
# The limits of Node. A list may contain itself, and may occur more than once.
_DEEPEST = 32
_MOST_FIELDS = 1 << 16


def itemsize_of(typestr: str, path: str) -> int:
    """Bytes of one element. Raises TicketError if the type cannot be shared, or is not in NumPy's array interface."""
    if _TYPESTR.fullmatch(typestr) is None:
        raise TicketError(
            path,
            f"a typestr such as '<f4', got {reprlib.repr(typestr)}",
            "pass numpy.dtype(...).str, or a NumPy dtype without Python objects",
        )
    return int(typestr[2:].partition("[")[0]) * (4 if typestr[1] == "U" else 1)


def record_of(descr: Any, typestr: str, path: str) -> list[Any] | None:
    """The fields of a record as lists. None if the type is no record. Raises TicketError."""
    if descr is None:
        return None
    fields, itemsize = _fields(descr, path, 0, iter(range(_MOST_FIELDS)))
    expected = itemsize_of(typestr, path)
    if itemsize != expected:  # NumPy trusts the fields, and would read beyond the memory
        difference = "more" if itemsize > expected else "fewer"
        raise TicketError(path, f"fields of {expected} bytes, got {difference}", "make descr and typestr agree")
    is_record = typestr[1] == "V" and any(name for name, *_ in fields)
    return fields if is_record else None


def tuples_of(fields: list[Any]) -> list[Any]:
    """The fields of a record in the form that NumPy takes."""

    def entry(name: Any, kind: Any, *shape: Any) -> tuple[Any, ...]:
        name = tuple(name) if isinstance(name, list) else name
        return (name, tuples_of(kind) if isinstance(kind, list) else kind, *map(tuple, shape))

    return [entry(*parts) for parts in fields]


def _fields(descr: Any, path: str, depth: int, left: Iterator[int]) -> tuple[list[Any], int]:
    """Return fields as lists, and their bytes. Takes one of `left` for each field."""
    if not isinstance(descr, (list, tuple)) or depth > _DEEPEST:
        raise _no_fields(path, descr)
    found = [_field(entry, path, depth, left) for entry, _ in zip(descr, left)]
    fields = [field for field, _ in found]
    names = [name for field in fields for name in _names(field) if name]
    if len(fields) < len(descr) or len(set(names)) < len(names):
        raise _no_fields(path, descr)
    return fields, sum(size for _, size in found)


def _field(entry: Any, path: str, depth: int, left: Iterator[int]) -> tuple[list[Any], int]:
    """Return a field as a list, and its bytes."""
    match entry:
        case [str() | [str(), str()] as name, kind]:
            shape = None
        case [str() | [str(), str()] as name, kind, [*lengths]]:
            shape = _shape(lengths, path)
        case _:
            raise _no_fields(path, entry)
    if isinstance(kind, str):
        size = itemsize_of(kind, path)
    else:
        kind, size = _fields(kind, path, depth + 1, left)
    field = [name if isinstance(name, str) else list(name), kind]
    return (field, size) if shape is None else ([*field, shape], size * math.prod(shape))


def _names(field: list[Any]) -> list[str]:
    """The name of a field, and its title if it has one."""
    return [field[0]] if isinstance(field[0], str) else field[0]


def _shape(lengths: list[Any], path: str) -> list[int]:
    try:
        shape = list(map(index, lengths))
    except TypeError:
        shape = [-1]
    if min(shape, default=0) < 0 or len(shape) > MAX_RANK:
        raise _no_fields(path, lengths)
    return shape


def _no_fields(path: str, got: object) -> TicketError:
    return TicketError(
        path,
        f"fields such as ['x', '<f4'] or ['x', '<f4', [2]] with a name each, got {reprlib.repr(got)}",
        f"write them as numpy.dtype(...).descr does, {_MOST_FIELDS} at most and nested {_DEEPEST} deep at most",
    )
