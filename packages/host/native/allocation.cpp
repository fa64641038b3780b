#include "allocation.hpp"

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

namespace array_interface {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::uintptr_t, std::weak_ptr<Allocation>> by_address;
};

/// Never destroyed, since allocations of worker threads may outlive the statics of the process.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

/// Bytes from which large pages are worth rounding up for.
constexpr std::size_t kLarge = std::size_t{4} << 20;

/// Asks for large pages. Without them a walk across rows misses the address cache at each step. It
/// does not matter if there are none.
void AskForLargePages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t size) {
#ifdef __linux__
  if (size < kLarge) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t into_page = reinterpret_cast<std::uintptr_t>(data) % page;
  const std::uintptr_t skipped = into_page == 0 ? 0 : page - into_page;
  madvise(static_cast<std::byte*>(data) + skipped, size - skipped, MADV_HUGEPAGE);
#endif
}

}  // namespace

std::shared_ptr<Allocation> Allocation::Make(std::uint64_t size) {
  if (size > std::numeric_limits<std::size_t>::max() - kAlignment) return nullptr;
  const std::size_t whole = (size + kAlignment - 1) / kAlignment * kAlignment;
  void* data = std::aligned_alloc(kAlignment, whole);
  if (data == nullptr) return nullptr;
  AskForLargePages(data, whole);
  return Over(std::shared_ptr<void>(data, std::free), data, size);
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
  std::shared_ptr<Allocation> found;  // outlives the lock, since it may be the last holder
  std::lock_guard lock(registry.mutex);
  auto after = registry.by_address.upper_bound(address);
  if (after == registry.by_address.begin()) return nullptr;
  found = std::prev(after)->second.lock();
  if (found == nullptr || address - found->address() >= found->size()) return nullptr;
  return found;
}

std::size_t Allocation::LiveCount() {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  return registry.by_address.size();
}

// The memory goes after this, when nobody finds it any more.
Allocation::~Allocation() {
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  registry.by_address.erase(address());
}

}  // namespace array_interface
