"""The fields of tickets, and their proof."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from ._errors import FORGED, TicketError

_SAFE = 2**53 - 1
_SURROGATE = re.compile("[\ud800-\udfff]")

Check = Callable[[Any], bool]


def _is_hex(byte_length: int) -> Check:
    digits = re.compile(f"[0-9a-f]{{{2 * byte_length}}}")
    return lambda value: isinstance(value, str) and digits.fullmatch(value) is not None


def _is_integer(value: Any) -> bool:
    return type(value) is int and abs(value) <= _SAFE


def _is_size(value: Any) -> bool:
    return _is_integer(value) and value >= 0


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_is_integer, value))


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"/proc/[0-9]{1,10}/fd/[0-9]{1,10}", value) is not None


def _lease(kind: str) -> dict[str, Check]:
    return {
        "kind": lambda value: value == kind,
        "version": lambda value: type(value) is int and value == 1,
        "lease": _is_path,
        "nonce": _is_hex(16),
    }


_LAYOUT: dict[str, Check] = {
    "offset": _is_size,
    "shape": _is_list,
    "byteStrides": _is_list,
    "typestr": lambda value: isinstance(value, str),
    "descr": lambda value: value is None or isinstance(value, list),
    "readOnly": lambda value: type(value) is bool,
}

#: Checks of all fields but the digest, in the order in which the digest covers them.
HOST: dict[str, Check] = {**_lease("array-interface/host"), "byteLength": _is_size, **_LAYOUT}
CUDA: dict[str, Check] = {
    **_lease("array-interface/cuda"),
    "device": _is_hex(16),
    "memory": _is_hex(64),
    "ready": _is_hex(64),
    "back": _is_hex(64),
    "byteLength": _is_size,
    **_LAYOUT,
}


def text_of(fields: Mapping[str, Any], form: Mapping[str, Check]) -> bytes:
    """The text that the digest covers: compact JSON of the list of fields, as JavaScript writes it."""
    text = json.dumps([fields[name] for name in form], separators=(",", ":"), ensure_ascii=False)
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode()


def read(ticket: Any, form: Mapping[str, Check]) -> dict[str, Any]:
    """Return the fields of another process's ticket as plain data. Raises TicketError."""
    try:
        # A copy, so that what was checked cannot change.
        fields: dict[str, Any] = json.loads(json.dumps({name: ticket[name] for name in (*form, "digest")}))
    except (TypeError, KeyError, ValueError, RecursionError) as error:
        raise TicketError("ticket", f"a ticket that share() made, got {error!r}", FORGED) from None
    for name, is_right in {**form, "digest": _is_hex(32)}.items():
        if not is_right(fields[name]):
            raise TicketError(f"ticket.{name}", "a ticket that share() made, got one with another value here", FORGED)
    if fields["lease"].startswith(f"/proc/{os.getpid()}/"):
        raise TicketError(
            "ticket.lease", "another process's ticket, got one of this process", "use the array itself"
        )
    return fields


def altered() -> TicketError:
    """The error for fields that do not match the digest."""
    return TicketError("ticket.digest", "a ticket as share() made it, got an altered or a forged one", FORGED)
