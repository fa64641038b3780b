#pragma once

#include <cstddef>

#include "kernels/host/convert/convert.hpp"
#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// The steps between reading and writing a unit, in this order, without needless ones.
struct Steps {
  explicit Steps(const StridedCopy& copy);

  bool is_none() const noexcept { return convert == nullptr && source_swap == 0 && repeats == 1; }

  std::size_t source_swap = 0;   ///< bytes of what is reversed, 0 for nothing
  ConvertRun convert = nullptr;  ///< none where nothing changes but the order of bytes
  std::size_t swap = 0;          ///< as `source_swap`, of what was converted
  std::size_t repeats = 1;       ///< how often each is written
};

}  // namespace array_interface
