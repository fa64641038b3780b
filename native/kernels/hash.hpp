#pragma once

#include <cstddef>
#include <cstdint>

namespace array_interface {

/// FNV-1a 64 of `size` bytes. Tells our own module texts apart; no protection against an adversary.
constexpr std::uint64_t fnv1a64(const char* text, std::size_t size) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t index = 0; index < size; ++index) {
    hash ^= static_cast<unsigned char>(text[index]);
    hash *= 0x100000001b3u;
  }
  return hash;
}

}  // namespace array_interface
