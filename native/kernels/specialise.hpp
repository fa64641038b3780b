#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace array_interface {

/// The constants in tiled_copy.cl's SPIR-V that stand for the conversion and the steps.
inline constexpr std::uint32_t any_conversion = 0x7eadbee5;
inline constexpr std::uint32_t any_steps = 0x7eadbee6;

/// The SPIR-V of tiled_copy.cl for one conversion (conversion_code()) and these steps alone. Each
/// constant stands in the module once; SPIR-V has specialisation constants for this, which DPCTL
/// cannot set.
template <std::size_t size>
std::vector<std::uint32_t> specialise(const std::uint32_t (&module)[size], std::uint32_t conversion,
                                      std::uint32_t steps) {
  std::vector<std::uint32_t> words(module, module + size);
  std::replace(words.begin(), words.end(), any_conversion, conversion);
  std::replace(words.begin(), words.end(), any_steps, steps);
  return words;
}

}  // namespace array_interface
