#pragma once

#include <cstddef>
#include <cstdint>

namespace array_interface {

// The modules in generated/, which array_interface_embed() of kernels.cmake builds into a target.

/// A module in SPIR-V.
struct SpirvModule {
  const std::uint32_t* words;
  std::size_t count;

  constexpr const std::uint32_t* begin() const noexcept { return words; }
  constexpr const std::uint32_t* end() const noexcept { return words + count; }
  constexpr std::size_t bytes() const noexcept { return count * sizeof *words; }
};

/// Texts of PTX.
extern const char strided_copy_ptx[];
extern const char convert_ptx[];
extern const char block_copy_ptx[];

extern const SpirvModule convert_spirv;
extern const SpirvModule convert_without_doubles_spirv;
extern const SpirvModule row_copy_spirv;
extern const SpirvModule row_copy_without_doubles_spirv;
extern const SpirvModule tile_copy_spirv;
extern const SpirvModule tile_copy_without_doubles_spirv;

}  // namespace array_interface
