#pragma once

#include <cstring>

namespace array_interface::cuda_simulator {

/// Copies bits between types of one size.
template <class To, class From>
To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bits are neither lost nor made up");
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);  // `To` may have initializers
  return to;
}

}  // namespace array_interface::cuda_simulator
