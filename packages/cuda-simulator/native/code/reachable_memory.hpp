#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ptx/run/launch.hpp"
#include "state/copy.hpp"

namespace array_interface::cuda_simulator {

struct Context;
class DeviceHeap;

/// Returns the heap of a context's kernels, which is made at first use, as large as the context's
/// limit says. Throws Failure OUT_OF_MEMORY.
std::shared_ptr<DeviceHeap> heap_of(Context& context);

/// Returns the contexts whose device memory a kernel of `context` may access: its own and its
/// peers.
std::set<const Context*> reachable_from(Context& context);

/// Memory as a running kernel accesses it. Keeps each allocation that it finds alive until the
/// kernel has ended.
class ReachableMemory : public ptx::GlobalMemory {
 public:
  /// `context` is that of the kernel, and one of `contexts`.
  ReachableMemory(Context& context, std::set<const Context*> contexts)
      : context_(context), contexts_(std::move(contexts)) {}

  std::byte* find(std::uint64_t address, std::size_t size) override;
  std::uint64_t allocate(std::size_t size) override;
  bool release(std::uint64_t address) override;

  /// Says where a range is that find() did not find.
  std::string describe(std::uint64_t address, std::size_t size);

 private:
  DeviceHeap* heap_at(std::uint64_t address);

  Context& context_;
  std::shared_ptr<DeviceHeap> heap_;
  std::set<const Context*> contexts_;
  std::vector<AllocationPtr> held_;  ///< the most recently used comes first
};

}  // namespace array_interface::cuda_simulator
