#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace array_interface {

/// The placeholder constants in the kernels' SPIR-V for CONVERSION, STEPS and AXES (special.h).
inline constexpr std::uint32_t any_conversion = 0x7eadbee5;
inline constexpr std::uint32_t any_steps = 0x7eadbee6;
inline constexpr std::uint32_t any_axes = 0x7eadbee7;

/// Returns the SPIR-V of row_copy.cl or tile_copy.cl for one conversion (conversion_code()), these
/// steps and these axes. Patches constants, because DPCTL cannot set SPIR-V's own specialisation
/// constants.
template <typename Module>
std::vector<std::uint32_t> specialise(const Module& module, std::uint32_t conversion,
                                      std::uint32_t steps, std::uint32_t axes) {
  std::vector<std::uint32_t> words(module.begin(), module.end());
  std::replace(words.begin(), words.end(), any_conversion, conversion);
  std::replace(words.begin(), words.end(), any_steps, steps);
  std::replace(words.begin(), words.end(), any_axes, axes);
  return words;
}

/// The conversion's placeholder as it appears, once, in block_copy.cl's PTX.
inline constexpr std::string_view any_conversion_digits = "7eadbee5";

/// Returns the PTX of block_copy.cl for one conversion (conversion_code()), so that the driver does
/// not compile the others.
inline std::string specialise(std::string_view ptx, std::uint32_t conversion) {
  std::string text(ptx);
  const std::size_t place = text.find(any_conversion_digits);
  for (std::size_t digit = 0; digit < any_conversion_digits.size(); ++digit) {
    text[place + digit] = "0123456789abcdef"[conversion >> (28 - 4 * digit) & 15];
  }
  return text;
}

}  // namespace array_interface
