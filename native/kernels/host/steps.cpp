#include "kernels/host/steps.hpp"

#include <optional>

namespace array_interface {
namespace {

/// Returns the bytes of the words to reverse in numbers of a type. 0 if there are none.
std::size_t swapped_size(ElementType type) {
  const std::size_t size = word_size(type);
  return size == 1 ? 0 : size;
}

}  // namespace

Steps::Steps(const StridedCopy& copy) : repeats(copy.repeats) {
  const std::optional<Conversion>& conversion = copy.conversion;
  if (!conversion) return;
  convert = converter(conversion->to, conversion->from, conversion->rounds);
  if (conversion->swaps_source) source_swap = swapped_size(conversion->from);
  if (conversion->swaps_destination) swap = swapped_size(conversion->to);
  if (convert == nullptr) {  // one swap is enough, and two cancel out
    source_swap = source_swap == 0 ? swap : source_swap - swap;
    swap = 0;
  }
}

}  // namespace array_interface
