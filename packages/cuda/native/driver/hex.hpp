#pragma once

#include <cstddef>

#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Returns bytes as a string of hexadecimal digits.
Napi::String ToHex(Napi::Env env, const unsigned char* bytes, std::size_t size);

/// Reads such a string. Throws ERR_TYPE unless it has exactly `size` bytes.
void FromHex(const Napi::Value& value, const char* path, unsigned char* bytes, std::size_t size);

}  // namespace array_interface::cuda
