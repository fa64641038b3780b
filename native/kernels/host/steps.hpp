#pragma once

#include <cstddef>

#include "kernels/host/convert/convert.hpp"
#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// The steps between reading and writing a unit, in this order. Omits needless ones.
struct Steps {
  explicit Steps(const StridedCopy& copy);

  bool is_none() const noexcept { return convert == nullptr && source_swap == 0 && repeats == 1; }

  std::size_t source_swap = 0;   ///< bytes per reversed word; 0 for none
  ConvertRun convert = nullptr;  ///< null if only the byte order changes
  std::size_t swap = 0;          ///< as `source_swap`, after the conversion
  std::size_t repeats = 1;       ///< how many times each unit is written
};

}  // namespace array_interface
