#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "napi/setup.hpp"

namespace array_interface {

/// Whether JavaScript holds a number exactly, and it has no fraction.
bool IsSafeInteger(double number) noexcept;

/// Arguments of addon functions. TypeScript has checked everything; these functions check types and
/// sizes again, and throw ERR_TYPE or ERR_POINTER_RANGE with the path.

/// Reads a bigint from 0 to 2^64 - 1.
std::uint64_t ReadPointer(const Napi::Value& value, const char* path);

/// Reads a number that is a safe integer.
std::int64_t ReadInteger(const Napi::Value& value, const char* path);

/// Reads a number that is a non-negative safe integer.
std::uint64_t ReadSize(const Napi::Value& value, const char* path);

std::string ReadString(const Napi::Value& value, const char* path);

/// Bytes of an ArrayBuffer or a SharedArrayBuffer.
struct Bytes {
  std::byte* data;
  std::size_t size;
};

/// Returns the bytes of a Uint8Array over a whole buffer. They are valid until JavaScript runs
/// again. Throws ERR_TYPE for any other value, and for a detached buffer.
Bytes ReadBytes(const Napi::Value& value, const char* path);

}  // namespace array_interface
