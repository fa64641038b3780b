#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/strided_copy.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// What addon functions take. Everything was checked in TypeScript; these check tags and sizes once
/// more, and throw ERR_TYPE or ERR_POINTER_RANGE with the path.

/// A bigint from 0 to 2^64 - 1.
std::uint64_t ReadPointer(const Napi::Value& value, const char* path);

/// A safe integer, as a number.
std::int64_t ReadInteger(const Napi::Value& value, const char* path);

/// A safe integer from 0 on, as a number.
std::uint64_t ReadSize(const Napi::Value& value, const char* path);

std::string ReadString(const Napi::Value& value, const char* path);

/// Core's CopyPlan. Addresses are taken as they are; layout, unit and conversion are checked.
StridedCopy ReadPlan(const Napi::Value& value);

/// Bytes of an ArrayBuffer, or of a SharedArrayBuffer's view.
struct Bytes {
  std::byte* data;
  std::size_t size;
};

/// The bytes of a Uint8Array over a whole buffer; throws ERR_TYPE for anything else, also when its
/// buffer was detached. Valid only until JavaScript runs again.
Bytes ReadBytes(const Napi::Value& value, const char* path);

/// Throws ERR_OUT_OF_BOUNDS unless all that the plan reads (`source`) or writes (not) at offsets
/// from a block's first byte lies within its `size` bytes.
void CheckWithin(Napi::Env env, const StridedCopy& copy, bool source, std::size_t size,
                 const char* path);

}  // namespace array_interface
