#pragma once

#include <cstddef>
#include <optional>

#include "kernels/element_type.hpp"
#include "kernels/host/convert.hpp"

namespace array_interface {

/// The steps between reading and writing a unit, in this order, without needless ones.
struct Steps {
  explicit Steps(const std::optional<Conversion>& conversion);

  bool is_none() const noexcept { return convert == nullptr && source_swap == 0; }

  std::size_t source_swap = 0;   ///< bytes of what is reversed, 0 for nothing
  ConvertRun convert = nullptr;  ///< none where nothing changes but the order of bytes
  std::size_t swap = 0;          ///< as `source_swap`, of what was converted
};

}  // namespace array_interface
