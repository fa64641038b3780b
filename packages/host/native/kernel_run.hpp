#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "napi/setup.hpp"

namespace array_interface {

/// `ai_range` of array_interface.h. Axes are in C order, the slowest first. Axes from `rank` on
/// have one item.
struct KernelRange {
  std::uint32_t size;
  std::uint32_t rank;
  std::uint64_t items[3];
  std::uint64_t begin[3];
  std::uint64_t end[3];
};

/// `ai_kernel` of array_interface.h.
using KernelFunction = void (*)(const KernelRange* range, void* const* arguments);

/// A parameter of a kernel.
struct KernelParameter {
  enum class Kind { kValue, kLocal, kStruct };
  Kind kind;
  std::size_t place;  ///< of the first of its values
  std::size_t bytes;  ///< of a struct
};

/// The arguments of a kernel call.
struct KernelCall {
  KernelFunction function;
  KernelRange range;                        ///< the whole range
  std::vector<std::uint64_t> values;        ///< for local memory, its size in bytes
  std::vector<KernelParameter> parameters;  ///< in order
};

/// A kernel that runs on its own threads. Each thread calls it with a part of the range.
class KernelRun {
 public:
  static constexpr napi_type_tag kTag = {0x2f6b8d1c94e05a73, 0x8e17c3a95d60f24b};

  /// Splits the slowest axis that has more than one item into at most `threads` parts. Throws
  /// std::bad_alloc.
  KernelRun(KernelCall call, std::size_t threads);
  /// Blocks until the work has ended.
  ~KernelRun() { Join(); }

  /// Starts a thread for each part, or as many as the system can start. Throws std::system_error if
  /// it can start none; then no part has run.
  void Start();

  /// True if all parts are done. Does not block.
  bool HasEnded() const { return left_.load(std::memory_order_acquire) == 0; }

  /// Blocks until all parts are done and their threads have ended. Safe to call from any other
  /// thread.
  void Join();

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  /// One call: its part of the range, and its own copy of the values.
  struct Part {
    KernelRange range;
    std::vector<std::uint64_t> values;
    std::vector<void*> arguments;
    std::vector<std::unique_ptr<void, Free>> memory;  ///< local memory, and structs
  };

  static Part MakePart(const KernelCall& call);
  static void* Allocate(Part& part, std::size_t bytes);
  void Work();

  KernelFunction function_;
  std::vector<Part> parts_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> left_{0};
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

}  // namespace array_interface
