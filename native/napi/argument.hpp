#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/layout/strided_copy.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Arguments of addon functions. TypeScript has checked everything; these check tags and sizes once
/// more, and throw ERR_TYPE or ERR_POINTER_RANGE with the path.

/// A bigint from 0 to 2^64 - 1.
std::uint64_t ReadPointer(const Napi::Value& value, const char* path);

/// A safe integer, as a number.
std::int64_t ReadInteger(const Napi::Value& value, const char* path);

/// A safe integer from 0 on, as a number.
std::uint64_t ReadSize(const Napi::Value& value, const char* path);

std::string ReadString(const Napi::Value& value, const char* path);

/// Core's CopyPlan. Layout, unit and conversion are checked; addresses are not.
StridedCopy ReadPlan(const Napi::Value& value);

/// Bytes of an ArrayBuffer, or of a SharedArrayBuffer's view.
struct Bytes {
  std::byte* data;
  std::size_t size;
};

/// The bytes of a Uint8Array over a whole buffer, valid until JavaScript runs again. Throws
/// ERR_TYPE for anything else, also for a detached buffer.
Bytes ReadBytes(const Napi::Value& value, const char* path);

/// Throws ERR_OUT_OF_BOUNDS unless the plan stays within a block of `size` bytes, whose first byte
/// its offsets count from. Checks what the plan reads (`source`) or what it writes.
void CheckWithin(Napi::Env env, const StridedCopy& copy, bool source, std::size_t size,
                 const char* path);

}  // namespace array_interface
