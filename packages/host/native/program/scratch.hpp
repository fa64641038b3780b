#pragma once

#include <cstddef>
#include <memory>
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
  explicit ScratchBlock(std::size_t bytes) : bytes_(bytes + kAlignment) {
    start_ = Scratch().allocate(bytes_);
    first_ = start_;
    std::size_t space = bytes_;
    std::align(kAlignment, bytes, first_, space);
  }
  ScratchBlock(const ScratchBlock&) = delete;
  ScratchBlock& operator=(const ScratchBlock&) = delete;
  ~ScratchBlock() { Scratch().deallocate(start_, bytes_); }

  std::byte* get() const { return static_cast<std::byte*>(first_); }
  std::size_t size() const { return bytes_ - kAlignment; }

 private:
  // Pools of libc++ keep no memory of a larger alignment than max_align_t's, and those of libstdc++
  // 12 do not align all of it.
  std::size_t bytes_;
  void* start_;
  void* first_;
};

}  // namespace array_interface
