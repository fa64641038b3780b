#pragma once

#include <cstdint>
#include <vector>

#include "arrays_out/aligned_bytes.hpp"
#include "arrays_out/shared_array.hpp"

namespace array_interface {

/// The elements of an array in host memory, contiguous in C order, in memory of its own.
class PackedCopy {
 public:
  PackedCopy() = default;
  /// Copies. Throws std::bad_alloc.
  explicit PackedCopy(const SharedArray& array);

  void* data() const { return bytes_.get(); }
  std::int64_t* element_strides() { return strides_.data(); }

 private:
  AlignedBytes bytes_;
  std::vector<std::int64_t> strides_;
};

}  // namespace array_interface
