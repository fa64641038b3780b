"""The functions of the CUDA driver that tickets need."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Callable, Iterator
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_ubyte, c_uint, c_uint64, c_void_p
from typing import Any, TypeVar, cast

from ._trusted_path import is_elevated, why_untrusted

_T = TypeVar("_T")
#: The legacy default stream, which libraries use when they are given none.
LEGACY_STREAM = 1
_INTERPROCESS = 0x2 | 0x4  # without timing
_LAZY_PEER_ACCESS = 1
_DEVICE_ORDINAL = 9
_IS_MANAGED = 8


class CudaError(RuntimeError):
    """A function of the CUDA driver failed, or there is no driver."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        #: The driver's error number; 0 if the error is not the driver's.
        self.status = status


class _Handle(ctypes.Structure):
    """CUipcMemHandle and CUipcEventHandle, which are passed by value."""

    _fields_ = [("bytes", c_ubyte * 64)]

    @staticmethod
    def of(digits: str) -> _Handle:
        return _Handle.from_buffer_copy(bytes.fromhex(digits))

    @property
    def digits(self) -> str:
        return bytes(self.bytes).hex()


_SIGNATURES: dict[str, list[Any]] = {
    "cuInit": [c_uint],
    "cuGetErrorName": [c_int, POINTER(c_char_p)],
    "cuDeviceGetCount": [POINTER(c_int)],
    "cuDeviceGetUuid": [c_void_p, c_int],
    "cuDevicePrimaryCtxRetain": [POINTER(c_void_p), c_int],
    "cuCtxPushCurrent_v2": [c_void_p],
    "cuCtxPopCurrent_v2": [POINTER(c_void_p)],
    "cuCtxGetCurrent": [POINTER(c_void_p)],
    "cuCtxSynchronize": [],
    "cuStreamCreate": [POINTER(c_void_p), c_uint],
    "cuStreamDestroy_v2": [c_void_p],
    "cuStreamWaitEvent": [c_void_p, c_void_p, c_uint],
    "cuEventCreate": [POINTER(c_void_p), c_uint],
    "cuEventDestroy_v2": [c_void_p],
    "cuEventRecord": [c_void_p, c_void_p],
    "cuPointerGetAttribute": [c_void_p, c_int, c_uint64],
    "cuMemGetAddressRange_v2": [POINTER(c_uint64), POINTER(c_size_t), c_uint64],
    "cuIpcGetMemHandle": [POINTER(_Handle), c_uint64],
    "cuIpcOpenMemHandle_v2": [POINTER(c_uint64), _Handle, c_uint],
    "cuIpcCloseMemHandle": [c_uint64],
    "cuIpcGetEventHandle": [POINTER(_Handle), c_void_p],
    "cuIpcOpenEventHandle": [POINTER(c_void_p), _Handle],
}


class Driver:
    """The loaded driver. Every function but the first few needs a current device."""

    def __init__(self) -> None:
        named = None if is_elevated() else os.environ.get("ARRAY_INTERFACE_LIBCUDA")
        name = named or "libcuda.so.1"
        # The system's loader finds a name without a folder, in folders that the system chose.
        why = why_untrusted(name) if "/" in name else None
        if why is not None:
            raise CudaError(f"expected a CUDA driver that no other user can change, got one where {why}")
        try:
            self._library = ctypes.CDLL(name)
        except OSError as error:
            raise CudaError(f"expected the CUDA driver, got: {error}; install NVIDIA's driver") from None
        for function, parameters in _SIGNATURES.items():
            getattr(self._library, function).argtypes = parameters
        self._contexts: dict[int, c_void_p] = {}
        self._call("cuInit", 0)

    @contextlib.contextmanager
    def on(self, device: int) -> Iterator[None]:
        """Make the primary context of a device current."""
        if device not in self._contexts:
            self._contexts[device] = self._made(c_void_p, "cuDevicePrimaryCtxRetain", device)
        self._call("cuCtxPushCurrent_v2", self._contexts[device])
        try:
            yield
        finally:
            self._made(c_void_p, "cuCtxPopCurrent_v2")

    @contextlib.contextmanager
    def on_any(self) -> Iterator[None]:
        """Make a context current if the thread has none: any context can query an address."""
        current = self._made(c_void_p, "cuCtxGetCurrent").value
        with contextlib.nullcontext() if current else self.on(0):
            yield

    def uuids(self) -> list[str]:
        """The UUIDs of all devices, in hexadecimal digits."""
        count = self._made(c_int, "cuDeviceGetCount").value
        return [bytes(self._made(c_ubyte * 16, "cuDeviceGetUuid", device)).hex() for device in range(count)]

    def device_of(self, pointer: int) -> int:
        """The device that an address belongs to. Raises CudaError for an address that is unknown to the driver."""
        return self._attribute(_DEVICE_ORDINAL, pointer)

    def is_managed(self, pointer: int) -> bool:
        return self._attribute(_IS_MANAGED, pointer) != 0

    def _attribute(self, attribute: int, pointer: int) -> int:
        return self._made(c_uint, "cuPointerGetAttribute", attribute, pointer).value

    def range_of(self, pointer: int) -> tuple[int, int]:
        """The first byte and the length of an allocation."""
        start, length = c_uint64(), c_size_t()
        self._call("cuMemGetAddressRange_v2", byref(start), byref(length), pointer)
        return start.value, length.value

    def memory_handle(self, start: int) -> str:
        return self._made(_Handle, "cuIpcGetMemHandle", start).digits

    def open_memory(self, digits: str) -> int:
        return self._made(c_uint64, "cuIpcOpenMemHandle_v2", _Handle.of(digits), _LAZY_PEER_ACCESS).value

    def close_memory(self, start: int) -> None:
        self._call("cuIpcCloseMemHandle", start)

    def synchronize(self) -> None:
        """Block until all work of the device has ended."""
        self._call("cuCtxSynchronize")

    def make_event(self) -> int:
        return self._made(c_void_p, "cuEventCreate", _INTERPROCESS).value or 0

    def event_handle(self, event: int) -> str:
        return self._made(_Handle, "cuIpcGetEventHandle", event).digits

    def open_event(self, digits: str) -> int:
        return self._made(c_void_p, "cuIpcOpenEventHandle", _Handle.of(digits)).value or 0

    def record(self, event: int, stream: int) -> None:
        self._call("cuEventRecord", event, stream)

    def wait(self, stream: int, event: int) -> None:
        self._call("cuStreamWaitEvent", stream, event, 0)

    def destroy_event(self, event: int) -> None:
        self._call("cuEventDestroy_v2", event)

    def make_stream(self) -> int:
        """Make a stream that synchronizes with the legacy default stream, on which many libraries work."""
        return self._made(c_void_p, "cuStreamCreate", 0).value or 0

    def destroy_stream(self, stream: int) -> None:
        self._call("cuStreamDestroy_v2", stream)

    def _made(self, kind: Callable[[], _T], name: str, *arguments: Any) -> _T:
        """Call a function that writes what it makes to its first parameter. Return that."""
        made = kind()
        self._call(name, byref(cast(Any, made)), *arguments)
        return made

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._library, name)(*arguments)
        if status == 0:
            return
        found = c_char_p()
        self._library.cuGetErrorName(status, byref(found))
        raise CudaError(f"{name} failed with {(found.value or b'an unknown error').decode()}", status)


@functools.cache
def driver() -> Driver:
    """Return the driver, which is loaded at first use. Raises CudaError."""
    return Driver()


def handle_of(stream: Any) -> int:
    """The handle of a stream: of a number, of an object with `__cuda_stream__`, or of a Numba stream."""
    if isinstance(stream, int):
        return stream
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    if hasattr(stream, "handle"):
        return int(getattr(stream.handle, "value", stream.handle) or 0)
    raise TypeError(f"expected a stream, got {stream!r}; pass its handle, or an object with __cuda_stream__")
