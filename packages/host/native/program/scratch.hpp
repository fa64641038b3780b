#pragma once

#include <cstddef>
#include <memory_resource>

namespace array_interface {

/// Memory for the time of a call, which a thread keeps for its next one: a large request of malloc
/// first puts all free small pieces together, which takes longer than a small call.
std::pmr::memory_resource& Scratch();

/// Bytes of it, for the thread that made this. Begins at a cache line.
class ScratchBlock {
 public:
  static constexpr std::size_t kAlignment = 64;

  /// Throws std::bad_alloc.
  explicit ScratchBlock(std::size_t bytes)
      : bytes_(bytes), start_(Scratch().allocate(bytes, kAlignment)) {}
  ScratchBlock(const ScratchBlock&) = delete;
  ScratchBlock& operator=(const ScratchBlock&) = delete;
  ~ScratchBlock() { Scratch().deallocate(start_, bytes_, kAlignment); }

  std::byte* get() const { return static_cast<std::byte*>(start_); }

 private:
  std::size_t bytes_;
  void* start_;
};

}  // namespace array_interface
