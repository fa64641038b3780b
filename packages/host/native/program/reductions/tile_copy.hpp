#pragma once

#include <cstddef>
#include <memory>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// A copy of few elements that is planned once, for any addresses.
class TileCopy {
 public:
  /// For a copy that changes no bytes, of at least one element. Its pointers do not matter.
  explicit TileCopy(const StridedCopy& copy);
  ~TileCopy();
  TileCopy(TileCopy&&) noexcept;
  TileCopy& operator=(TileCopy&&) = delete;
  TileCopy(const TileCopy&) = delete;
  TileCopy& operator=(const TileCopy&) = delete;

  /// Copies, and asks for the elements that are `ahead` bytes further on; for none if that is 0.
  void Run(std::byte* to, const std::byte* from, std::ptrdiff_t ahead) const;

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

}  // namespace array_interface
