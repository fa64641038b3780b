#include "allocation.hpp"

#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "arena.hpp"
#include "pages.hpp"

namespace array_interface {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::uintptr_t, std::weak_ptr<Allocation>> by_address;
};

/// Never destroyed, since allocations of worker threads may outlive the process's statics.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

}  // namespace

std::shared_ptr<Allocation> Allocation::Make(std::uint64_t size) {
  if (size > std::numeric_limits<std::size_t>::max() - kAlignment) return nullptr;
  std::byte* const data = Arena::Get().Allocate(size);
  if (data == nullptr) return nullptr;
  const auto free = [size](std::byte* memory) { Arena::Get().Free(memory, size); };
  return Over(std::shared_ptr<void>(data, free), data, size);
}

std::shared_ptr<Allocation> Allocation::Over(std::shared_ptr<void> memory, void* data,
                                             std::size_t size) {
  std::shared_ptr<Allocation> made(new Allocation(std::move(memory), data, size));
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  registry.by_address[made->address()] = made;
  return made;
}

std::shared_ptr<Allocation> Allocation::Find(std::uintptr_t address) {
  Registry& registry = TheRegistry();
  std::shared_ptr<Allocation> found;  // outlives the lock, since it may be the last reference
  std::lock_guard lock(registry.mutex);
  auto after = registry.by_address.upper_bound(address);
  if (after == registry.by_address.begin()) return nullptr;
  found = std::prev(after)->second.lock();
  if (found == nullptr || address - found->address() >= found->size()) return nullptr;
  return found;
}

bool Allocation::IsGone(std::uintptr_t address) {
  return Pages::Get().Has(address) && Find(address) == nullptr;
}

std::size_t Allocation::LiveCount() {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  return registry.by_address.size();
}

// Unregisters the allocation. Its memory is freed after that, when no thread can find it any more.
Allocation::~Allocation() {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  registry.by_address.erase(address());
}

}  // namespace array_interface
