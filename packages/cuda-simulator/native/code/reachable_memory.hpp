#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "ptx/run/launch.hpp"
#include "state/copy.hpp"

namespace array_interface::cuda_simulator {

struct Context;

/// Returns the contexts whose device memory a kernel of `context` may access: its own and its
/// peers.
std::set<const Context*> reachable_from(Context& context);

/// Memory as a running kernel accesses it. Keeps each allocation that it finds alive until the
/// kernel has ended.
class ReachableMemory : public ptx::GlobalMemory {
 public:
  explicit ReachableMemory(std::set<const Context*> contexts) : contexts_(std::move(contexts)) {}

  std::byte* find(std::uint64_t address, std::size_t size) override;

 private:
  std::set<const Context*> contexts_;
  std::vector<AllocationPtr> held_;  ///< the most recently used comes first
};

}  // namespace array_interface::cuda_simulator
