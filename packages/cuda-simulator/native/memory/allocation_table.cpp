#include "allocation_table.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "base/failure.hpp"
#include "base/settings.hpp"
#include "ipc_memory.hpp"

namespace array_interface::cuda_simulator {
namespace {

constexpr unsigned char poison =
    0xCB;  // fresh memory: easy to recognise, and no useful value of any type

/// Each allocation splits a mapping in two, and Linux allows a process 65,530 mappings. With none
/// left, no thread could start and no memory of any kind could be allocated.
constexpr std::size_t most_allocations = 24'000;

/// How many freed allocations are remembered, for describe().
constexpr std::size_t most_noted = 4096;

/// Beyond this distance an address has probably nothing to do with an allocation.
constexpr std::size_t farthest = std::size_t{1} << 30;

/// "1024 bytes of device memory at 0x…, device 0".
std::string text_of(const Allocation& allocation) {
  constexpr const char* kinds[] = {"device memory", "managed memory", "pinned memory",
                                   "registered memory"};
  const bool is_heap = allocation.source == Allocation::Source::heap;
  char text[120];
  std::snprintf(text, sizeof text, "%zu bytes of %s at 0x%zx, device %d", allocation.size,
                is_heap ? "the heap of kernels" : kinds[static_cast<int>(allocation.kind)],
                static_cast<std::size_t>(allocation.start()), allocation.device);
  return text;
}

Neighbour neighbour(const Allocation& allocation) {
  return {allocation.start(), allocation.size, text_of(allocation)};
}

AddressSpace& addresses_of(Allocation::Kind kind) {
  return kind == Allocation::Kind::device ? device_addresses() : host_addresses();
}

/// Whether another mapping of the program follows this one directly.
bool continues(const Allocation& first, const Allocation& next, std::uintptr_t end) {
  return first.source == Allocation::Source::mapped && next.source == Allocation::Source::mapped &&
         next.start() == end && next.usable;
}

}  // namespace

Allocation::~Allocation() {
  if (kind != Kind::registered && region.reserved != 0) addresses_of(kind).give_back(region);
}

/// Adds fresh memory, every byte 0xCB. Returns null if there is not enough.
AllocationPtr AllocationTable::fill(const AllocationPtr& allocation) {
  if (is_full()) return nullptr;
  const Allocation::Kind kind = allocation->kind;
  allocation->counted = kind == Allocation::Kind::device;
  if (allocation->counted && !charge(allocation->device, allocation->size)) return nullptr;
  if (!addresses_of(kind).take(allocation->size, allocation->region)) {
    allocation->region.reserved = 0;
    if (allocation->counted) discharge(allocation->device, allocation->size);
    return nullptr;
  }
  std::memset(allocation->region.backing, poison, allocation->size);
  put(allocation);
  return allocation;
}

AllocationPtr AllocationTable::make(Context& context, CUdevice device, Allocation::Kind kind,
                                    std::size_t size, unsigned flags, Allocation::Source source) {
  AllocationPtr made =
      fill(std::make_shared<Allocation>(kind, source, size, device, &context, flags));
  require(made != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  return made;
}

std::vector<AllocationPtr> AllocationTable::make_variables(Context& context, CUdevice device,
                                                           const std::vector<std::size_t>& sizes) {
  std::size_t bytes = 0;
  std::size_t extent = 0;
  for (const std::size_t size : sizes) {
    require(size <= settings().memory - bytes, CUDA_ERROR_OUT_OF_MEMORY);
    bytes += size;
    extent += distance_after(size);
  }
  if (bytes == 0) return {};
  require(!is_full() && charge(device, bytes), CUDA_ERROR_OUT_OF_MEMORY);
  Region region;
  if (!device_addresses().take(extent, region)) {
    discharge(device, bytes);
    throw Failure{CUDA_ERROR_OUT_OF_MEMORY};
  }
  return divide(context, device, sizes, region);
}

/// The variables in a region. The first one owns it, and lives as long as any of them.
std::vector<AllocationPtr> AllocationTable::divide(Context& context, CUdevice device,
                                                   const std::vector<std::size_t>& sizes,
                                                   const Region& region) {
  std::vector<AllocationPtr> parts;
  parts.reserve(sizes.size());
  std::size_t offset = 0;
  for (const std::size_t size : sizes) {
    const auto part = std::make_shared<Allocation>(
        Allocation::Kind::device, Allocation::Source::variable, size, device, &context);
    part->counted = true;
    part->region = {region.address + offset, region.backing + offset};
    if (parts.empty())
      part->region = region;
    else
      part->whole = parts.front();
    std::memset(part->region.backing, poison, size);
    parts.push_back(part);
    offset += distance_after(size);
  }
  for (const AllocationPtr& part : parts) put(part);
  return parts;
}

AllocationPtr AllocationTable::make_pooled(Allocation::Kind kind, CUdevice device,
                                           CUmemoryPool pool, std::size_t size) {
  const auto allocation =
      std::make_shared<Allocation>(kind, Allocation::Source::pool, size, device);
  allocation->pool = pool;
  allocation->usable = false;
  return fill(allocation);
}

void AllocationTable::put(const AllocationPtr& allocation) {
  std::lock_guard lock(mutex_);
  allocation->id = ++last_id_;
  table_.emplace(allocation->start(), allocation);
  if (allocation->whole != nullptr) ++parts_;
}

bool AllocationTable::is_full() {
  std::lock_guard lock(mutex_);
  return table_.size() - parts_ >= most_allocations;
}

bool AllocationTable::charge(CUdevice device, std::size_t size) {
  std::lock_guard lock(mutex_);
  std::size_t& used = used_[device];
  if (size > settings().memory - used) return false;
  used += size;
  return true;
}

void AllocationTable::discharge(CUdevice device, std::size_t size) {
  std::lock_guard lock(mutex_);
  used_[device] -= size;
}

AllocationPtr AllocationTable::adopt(Context& context, CUdevice device, void* start,
                                     std::size_t size, unsigned flags) {
  auto allocation = std::make_shared<Allocation>(
      Allocation::Kind::registered, Allocation::Source::call, size, device, &context, flags);
  allocation->region = {reinterpret_cast<std::uintptr_t>(start), static_cast<std::byte*>(start), 0};
  std::lock_guard lock(mutex_);
  const auto after = table_.lower_bound(allocation->start());
  if (after != table_.end() && after->first - allocation->start() < size) return nullptr;
  if (after != table_.begin()) {
    const Allocation& before = *std::prev(after)->second;
    if (allocation->start() - before.start() < before.size) return nullptr;
  }
  allocation->id = ++last_id_;
  table_.emplace(allocation->start(), allocation);
  return allocation;
}

AllocationPtr AllocationTable::remove(std::uintptr_t start,
                                      std::initializer_list<Allocation::Kind> kinds) {
  std::unique_lock lock(mutex_);
  const auto found = table_.find(start);
  if (found == table_.end()) return nullptr;
  AllocationPtr allocation = found->second;
  if (std::find(kinds.begin(), kinds.end(), allocation->kind) == kinds.end()) return nullptr;
  if (allocation->counted) used_[allocation->device] -= allocation->size;
  if (allocation->whole != nullptr) --parts_;
  table_.erase(found);
  note_freed(*allocation);
  lock.unlock();
  end_sharing(*allocation);
  return allocation;
}

AllocationPtr AllocationTable::starting_at(std::uintptr_t start) {
  std::lock_guard lock(mutex_);
  const auto found = table_.find(start);
  return found == table_.end() ? nullptr : found->second;
}

Place AllocationTable::find(std::uintptr_t start, std::size_t size) {
  {
    std::lock_guard lock(mutex_);
    const auto after = table_.upper_bound(start);
    if (after != table_.begin()) {
      const AllocationPtr& before = std::prev(after)->second;
      const std::uintptr_t offset = start - before->start();
      if (offset < before->size) {
        if (before->source == Allocation::Source::heap) return {};
        std::size_t reach = before->size - offset;
        for (auto next = after; size > reach && next != table_.end(); ++next) {
          if (!continues(*before, *next->second, start + reach)) break;
          reach += next->second->size;
        }
        if (size > reach) return {};
        return {Place::Kind::allocation, before};
      }
    }
  }
  const bool reserved = device_addresses().owns(start) || host_addresses().owns(start);
  return {reserved ? Place::Kind::invalid : Place::Kind::pageable, nullptr};
}

void AllocationTable::note_freed(const Allocation& allocation) {
  if (!freed_.insert_or_assign(allocation.start(), allocation.size).second) return;
  freed_in_order_.push_back(allocation.start());
  if (freed_in_order_.size() <= most_noted) return;
  freed_.erase(freed_in_order_.front());
  freed_in_order_.pop_front();
}

std::string AllocationTable::describe(std::uintptr_t start, std::size_t size) {
  if (start < 4096) return "a null pointer";
  std::lock_guard lock(mutex_);
  const auto after = table_.upper_bound(start);
  const Allocation* const before =
      after == table_.begin() ? nullptr : std::prev(after)->second.get();
  const std::size_t offset = before == nullptr ? SIZE_MAX : start - before->start();
  const bool is_inside = before != nullptr && offset < before->size;
  if (is_inside && size <= before->size - offset) {
    return "in " + text_of(*before) + ", which this work may not use" +
           (before->usable ? "" : " at this point of the stream");
  }
  if (!is_inside) {  // host and mapped addresses may be in use again
    if (const auto freed = size_around(freed_, start)) {
      return "in memory of " + std::to_string(*freed) + " bytes that was freed";
    }
  }
  std::optional<Neighbour> next;
  if (after != table_.end()) next = neighbour(*after->second);
  std::optional<Neighbour> previous;
  if (before != nullptr) previous = neighbour(*before);
  const std::string text = distance_text(start, size, previous, next, farthest);
  return text.empty() ? "far from all memory of the driver" : text;
}

AllocationPtr AllocationTable::around(std::uintptr_t address, CUresult error) {
  const Place place = find(address, 1);
  require(place.kind == Place::Kind::allocation, error);
  return place.allocation;
}

std::vector<AllocationPtr> AllocationTable::of(const Context* context) {
  std::lock_guard lock(mutex_);
  std::vector<AllocationPtr> found;
  for (const auto& [start, allocation] : table_) {
    if (context == nullptr || allocation->context == context) found.push_back(allocation);
  }
  return found;
}

std::size_t AllocationTable::used(CUdevice device) {
  std::lock_guard lock(mutex_);
  return used_[device];
}

}  // namespace array_interface::cuda_simulator
