#pragma once

#include <cstddef>
#include <cstdint>

#include "elements.hpp"
#include "reduction.hpp"
#include "values.hpp"

namespace array_interface {

/// Finds the best element of outputs, the least or the greatest, and its place.
class PlaceFinder {
 public:
  /// For values and places that are written to `best`.
  PlaceFinder(const ReductionCall& call, Elements& elements, const Values& best)
      : call_(call), reduction_(*call.reduction), elements_(elements), best_(best) {}

  /// Finds the best of some elements of one output.
  void FindAlong(std::uint64_t output, std::uint64_t first, std::uint64_t end);
  /// The same of some outputs that are nearer than their elements.
  void FindAcross(std::uint64_t output, std::size_t width, std::uint64_t first, std::uint64_t end);
  /// The same of all elements of some outputs that follow one another.
  void FindFew(std::uint64_t output, std::size_t width);

  /// Makes places of some outputs, among elements that are taken once, those among all.
  void AmongAll(std::size_t width) const;

 private:
  void Compare(std::size_t at, const std::byte* values, std::size_t count, std::uint64_t first);
  bool IsFound() const;
  std::int64_t* Places() const { return reinterpret_cast<std::int64_t*>(best_[1]); }

  const ReductionCall& call_;
  const Reduction& reduction_;
  Elements& elements_;
  const Values& best_;
};

}  // namespace array_interface
