#include "planted.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

using array_interface::StridedCopy;

namespace {

bool is_planted(const char* mistake) {
  static const char* const named = std::getenv("ARRAY_INTERFACE_PLANTED");
  return named != nullptr && std::string(named) == mistake;
}

}  // namespace

StridedCopy with_planted(StridedCopy copy) {
  if (is_planted("difference")) {
    for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
      const bool is_reversed = copy.destination_strides[axis] < 0 && copy.source_strides[axis] > 0;
      if (is_reversed && copy.lengths[axis] > 5) --copy.lengths[axis];
    }
  }
  if (is_planted("overflow") && copy.unit == 8 && copy.lengths.size() == 3) {
    copy.source = static_cast<const unsigned char*>(copy.source) + 1;
  }
  return copy;
}

void add_planted(const StridedCopy& copy) {
  if (!is_planted("undefined") || copy.lengths.size() < 2) return;
  volatile std::int64_t sum = copy.lengths[0] + copy.lengths[1];
  static_cast<void>(sum);
}
