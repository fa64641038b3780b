"""Arrays in host memory that processes share."""

from __future__ import annotations

import hmac
import sys
from collections.abc import Sequence
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Any, cast

from . import _form, _memory_file
from ._array import SharedArray
from ._buffered import Buffered
from ._element import itemsize_of, record_of, tuples_of
from ._errors import FORGED, TicketError, replaced
from ._layout import Layout, check_rank, dense_strides
from ._memory_file import MemoryFile
from ._tickets import Ticket

if TYPE_CHECKING:
    import numpy

#: The formats that `memoryview` can cast to.
_FORMATS: dict[str, Any] = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}
_FORMATS |= {"f4": "f", "f8": "d"}
if sys.version_info >= (3, 12):
    _FORMATS["f2"] = "e"
#: These, and those that NumPy writes.
_NUMBERS = {*_FORMATS, "f2", "c8", "c16"}
_CPU = 1  # DLPack's kDLCPU


class HostArray(SharedArray, Buffered):
    """An array in host memory that other processes have open too.

    NumPy and other libraries read and write it in place, by `__array_interface__`, by DLPack, and, if its elements are
    contiguous numbers, by the buffer protocol: `memoryview(array)`. The arrays that they make from it keep the memory.
    A `with` block, or `close()`, ends this object's own hold on it.
    """

    def __init__(self, memory: MemoryFile, layout: Layout) -> None:
        super().__init__(layout)
        self._held = memory

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """NumPy's array interface, version 3. A reader must keep this object alive, as NumPy does."""
        self._memory()
        self._is_lent = True
        return self._interface()

    def _interface(self) -> dict[str, Any]:
        return self._layout.interface(self._memory().start)

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """DLPack's capsule, as NumPy makes it. Raises ImportError without NumPy, BufferError for elements that DLPack
        has no code for."""
        options = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        return self.numpy().__dlpack__(**{name: value for name, value in options.items() if value is not None})

    def __dlpack_device__(self) -> tuple[int, int]:
        """The CPU, as DLPack numbers it."""
        return (_CPU, 0)

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The type of one element, as a dtype of NumPy. `typestr` is the same without NumPy. Raises ImportError
        without NumPy."""
        import numpy

        descr = self._layout.descr
        return numpy.dtype(self.typestr if descr is None else tuples_of(descr))

    def numpy(self) -> numpy.ndarray[Any, Any]:
        """Return a NumPy array over the same memory. Raises ImportError without NumPy."""
        import numpy

        memory, layout = self._memory(), self._layout
        begin = _memory_file.HEADER + layout.offset
        array = numpy.ndarray(layout.shape, self.dtype, cast(Any, memory), begin, layout.strides)
        array.flags.writeable = not layout.read_only
        return array

    def buffer(self) -> memoryview:
        """Return a memoryview of the elements, in place; `memoryview(array)` is the same. Raises BufferError if they
        are not contiguous, or are not numbers in native byte order. Complex numbers, arrays of several axes that have
        no elements, and, before Python 3.12, float16 need NumPy, which writes their format."""
        memory, layout = self._memory(), self._layout
        kind = layout.typestr[1:]
        other_order = ">" if sys.byteorder == "little" else "<"
        if not layout.is_contiguous or kind not in _NUMBERS or layout.typestr[0] == other_order:
            raise BufferError("expected contiguous numbers in native byte order, got others; use numpy()")
        code = _FORMATS.get(kind)
        if code is None or (layout.size == 0 and len(layout.shape) != 1):
            return self._buffer_of_numpy()
        begin = _memory_file.HEADER + layout.offset
        elements = memoryview(memory)[begin : begin + layout.size * layout.itemsize]
        # A shape may not have zeros.
        view = elements.cast(code, layout.shape) if layout.size > 0 else elements.cast(code)
        return view.toreadonly() if layout.read_only else view

    def _buffer_of_numpy(self) -> memoryview:
        try:
            return memoryview(cast(Any, self.numpy()))
        except ImportError:
            raise BufferError("expected NumPy, for a format that Python lacks, got none; install it") from None

    def close(self) -> None:
        """End this object. The memory is freed once nothing made from it is left, here and in other processes."""
        if self._is_closed:
            return
        self._is_closed = True
        if not self._is_lent:
            self.__dict__.pop("_held", None)  # another thread may close it, too

    def __repr__(self) -> str:
        return f"HostArray(shape={self.shape}, typestr={self.typestr!r})"

    def _memory(self) -> MemoryFile:
        self._check_open()
        return self._held


def empty(shape: int | Sequence[int], dtype: Any = "<f8") -> HostArray:
    """Allocate host memory that `share` can share with other processes, filled with zeros. `dtype` is a typestr such
    as `"<f4"`, or, if NumPy is imported, whatever `numpy.dtype` takes. Raises TicketError for an unsupported dtype
    or shape, MemoryError, and OSError if the process can open no more files."""
    lengths = _lengths(shape)
    check_rank(lengths, "shape")
    typestr, descr = _element(dtype)
    itemsize = itemsize_of(typestr, "dtype")
    layout = Layout(0, lengths, dense_strides(lengths, itemsize), typestr, descr, read_only=False)
    return HostArray(_memory_file.make(max(1, layout.size * itemsize)), layout)


def _lengths(shape: int | Sequence[int]) -> tuple[int, ...]:
    try:
        lengths = (index(shape),) if isinstance(shape, Integral) else tuple(map(index, cast("Sequence[int]", shape)))
    except TypeError:
        lengths = (-1,)
    if isinstance(shape, bytes) or min(lengths, default=0) < 0:
        raise TicketError("shape", f"lengths of 0 or more, got {shape!r}", "pass the length of each axis")
    return lengths


def _element(dtype: Any) -> tuple[str, list[Any] | None]:
    numpy = sys.modules.get("numpy")
    try:
        dtype = dtype if numpy is None else numpy.dtype(dtype)
    except Exception:  # of many kinds; a dtype that NumPy refuses may be valid here
        pass
    if isinstance(dtype, str):
        return dtype, None
    typestr = getattr(dtype, "str", None)
    if not isinstance(typestr, str):
        raise TicketError(
            "dtype", f"a typestr such as '<f4', got {dtype!r}", "pass one, or import numpy and pass its dtype"
        )
    try:
        descr = getattr(dtype, "descr", None)
    except ValueError:  # NumPy has no dtype with overlapping fields
        descr = None
    return typestr, record_of(descr, typestr, "dtype.descr")


def share_host(array: Any) -> Ticket:
    """Make a ticket of an array in memory that `empty` made. Raises TicketError."""
    layout = Layout.of_interface(array._interface() if isinstance(array, HostArray) else array.__array_interface__)
    memory = _memory_file.find(layout.offset)
    if memory is None and layout.size == 0:
        memory = _memory_file.make(1)  # an array without elements has no memory
    if memory is None:
        raise TicketError(
            "array",
            "an array in memory that array_interface.empty() made, got one elsewhere",
            "copy it: memory = array_interface.empty(array.shape, array.dtype); memory.numpy()[...] = array",
        )
    if not memory.is_own:
        raise TicketError(
            "array",
            "memory of this process, got another's",
            "pass on the ticket that it was opened with",
        )
    layout = layout.within(memory.start)
    layout.check_within(memory.byte_length, "array")
    fields: dict[str, Any] = {
        "kind": "array-interface/host",
        "version": 1,
        "lease": memory.path,
        "nonce": memory.nonce.decode(),
        "byteLength": memory.byte_length,
        **layout.fields(),
    }
    return Ticket({**fields, "digest": _digest(memory, fields)}, memory)


def open_host(ticket: Any, user: int | None) -> HostArray:
    """Open the array of a ticket. Raises TicketError."""
    fields = _form.read(ticket, _form.HOST)
    layout = Layout.of_ticket(fields)  # before the digest, since fields nested too deep would break it
    memory = _memory_file.open_file(fields["lease"], user)
    if memory.nonce != fields["nonce"].encode():
        raise replaced()
    if not hmac.compare_digest(_digest(memory, fields), fields["digest"]):
        raise _form.altered()
    if memory.byte_length != fields["byteLength"]:
        raise TicketError(
            "ticket.byteLength", f"the {memory.byte_length} bytes of the file, got {fields['byteLength']}", FORGED
        )
    layout.check_within(memory.byte_length, "ticket")
    return HostArray(memory, layout)


def _digest(memory: MemoryFile, fields: dict[str, Any]) -> str:
    return hmac.new(memory.key, _form.text_of(fields, _form.HOST), "sha256").hexdigest()
