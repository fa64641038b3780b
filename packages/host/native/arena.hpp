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

/// Memory at addresses of our own, so that an address where nothing lives any more is known. Short
/// pieces lie in slabs of one size each, others on pages of their own. From any thread.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 64;

  /// That of the process. Never destroyed.
  static Arena& Get();

  /// Memory with any contents. Null: there is none.
  std::byte* Allocate(std::size_t size);
  /// Frees what Allocate gave for the same size.
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
    std::size_t free;                  ///< how many pieces are
    std::size_t first = 0;             ///< no word before this one has a free piece
    std::vector<std::uint64_t> words;  ///< a bit for each piece, set where it is free
  };

  static constexpr std::size_t kClasses = 36;

  std::byte* TakePiece(std::size_t index);
  Slab* MakeSlab(std::size_t index);
  void FreePiece(std::byte* data, std::size_t index);

  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, std::unique_ptr<Slab>> slabs_;
  std::array<std::vector<Slab*>, kClasses> open_;  ///< those with free pieces
};

}  // namespace array_interface
