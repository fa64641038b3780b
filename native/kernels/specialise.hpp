#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace array_interface {

/// The constant in convert.cl's SPIR-V that stands for the conversion.
inline constexpr std::uint32_t any_conversion = 0x7eadbee5;

/// The SPIR-V of `convert` for one conversion alone (conversion_code()). It stands in the module
/// once; SPIR-V has specialisation constants for this, which DPCTL cannot set.
template <std::size_t size>
std::vector<std::uint32_t> specialise(const std::uint32_t (&module)[size],
                                      std::uint32_t conversion) {
  std::vector<std::uint32_t> words(module, module + size);
  std::replace(words.begin(), words.end(), any_conversion, conversion);
  return words;
}

}  // namespace array_interface
