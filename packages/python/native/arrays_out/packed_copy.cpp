#include "arrays_out/packed_copy.hpp"

#include <cstring>

#include "arrays/dense_strides.hpp"

namespace array_interface {

namespace {

/// Copies the elements from an axis on. Returns where the next ones go.
std::byte* CopyFrom(const SharedArray& array, std::size_t axis, const std::byte* from,
                    std::byte* to) {
  if (axis == array.shape().size()) {
    std::memcpy(to, from, array.itemsize());
    return to + array.itemsize();
  }
  for (std::int64_t i = 0; i < array.shape()[axis]; ++i) {
    to = CopyFrom(array, axis + 1, from + i * array.byte_strides()[axis], to);
  }
  return to;
}

}  // namespace

PackedCopy::PackedCopy(const SharedArray& array)
    : bytes_(AllocateAligned(array.size() * array.itemsize())),
      strides_(DenseStrides(array.shape())) {
  const std::size_t bytes = array.size() * array.itemsize();
  const auto* const from = reinterpret_cast<const std::byte*>(array.pointer());
  if (array.is_c()) {
    if (bytes > 0) std::memcpy(bytes_.get(), from, bytes);
  } else {
    CopyFrom(array, 0, from, bytes_.get());
  }
}

}  // namespace array_interface
