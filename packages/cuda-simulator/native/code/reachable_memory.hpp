#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "ptx/run/launch.hpp"
#include "state/copy.hpp"

namespace array_interface::cuda_simulator {

struct Context;

/// The contexts whose device memory a kernel of `context` may touch: its own, and its peers.
std::set<const Context*> reachable_from(Context& context);

/// Memory as a running kernel reaches it. It holds what it has found until the kernel has ended.
class ReachableMemory : public ptx::GlobalMemory {
 public:
  explicit ReachableMemory(std::set<const Context*> contexts) : contexts_(std::move(contexts)) {}

  std::byte* find(std::uint64_t address, std::size_t size) override;

 private:
  std::set<const Context*> contexts_;
  std::vector<AllocationPtr> held_;  ///< the one used last comes first
};

}  // namespace array_interface::cuda_simulator
