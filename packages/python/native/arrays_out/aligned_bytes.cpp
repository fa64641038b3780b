#include "arrays_out/aligned_bytes.hpp"

#include <limits>
#include <new>

namespace array_interface {

AlignedBytes AllocateAligned(std::size_t bytes) {
  constexpr std::size_t kAlignment = 64;
  if (bytes > std::numeric_limits<std::size_t>::max() - kAlignment) throw std::bad_alloc();
  const std::size_t room = (bytes / kAlignment + 1) * kAlignment;
  AlignedBytes allocated(static_cast<std::byte*>(std::aligned_alloc(kAlignment, room)));
  if (allocated == nullptr) throw std::bad_alloc();
  return allocated;
}

}  // namespace array_interface
