#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "pages.hpp"

namespace array_interface {

/// Allocates memory at addresses that only this package uses, so that it can tell when nothing
/// lives at one any more. Short pieces lie in slabs of one size each, others on their own pages.
/// Safe to call from any thread.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 64;

  /// The arena of the process. Never destroyed.
  static Arena& Get();

  /// Allocates uninitialised memory. Null if there is none.
  std::byte* Allocate(std::size_t size);
  /// Frees what Allocate returned for the same size.
  void Free(std::byte* data, std::size_t size) noexcept;

 private:
  /// Pieces of one size, and which of them are used.
  struct Slab {
    Slab(std::byte* start, std::size_t piece);

    std::byte* Take();
    void Free(const std::byte* data);

    std::byte* start;
    std::size_t piece;
    std::size_t count;
    std::size_t free;                  ///< number of free pieces
    std::size_t first = 0;             ///< no word before this one has a free piece
    std::vector<std::uint64_t> words;  ///< a bit for each piece, set if it is free
  };

  static constexpr std::size_t kClasses = 36;

  std::byte* TakePiece(std::size_t index);
  Slab* MakeSlab(std::size_t index);
  void FreePiece(std::byte* data, std::size_t index);

  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, std::unique_ptr<Slab>> slabs_;
  std::array<std::vector<Slab*>, kClasses> open_;  ///< slabs with free pieces
};

}  // namespace array_interface
