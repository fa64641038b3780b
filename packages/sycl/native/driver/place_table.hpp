#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "place.hpp"

namespace array_interface::sycl {

/// All live places: one for each context and device, so that kernels are built once and equal
/// places are recognised.
class PlaceTable {
 public:
  /// The place of a native context and device; null if none is known.
  std::shared_ptr<Place> Find(void* context, void* device) const;
  /// Adds a place, unless another thread has added an equal one. Gives the one in the table.
  std::shared_ptr<Place> Add(std::shared_ptr<Place> place);
  std::vector<std::shared_ptr<Place>> All() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Place>> places_;
};

}  // namespace array_interface::sycl
