#include "device_heap.hpp"

#include <algorithm>
#include <cstring>

namespace array_interface::cuda_simulator {
namespace {

constexpr std::size_t gap = 16;
constexpr int poison = 0xCB;

std::size_t aligned(std::size_t size) { return (size + 15) / 16 * 16; }

AllocationPtr make_memory(Context& context, CUdevice device, std::size_t size) {
  AllocationPtr made = allocations().make(context, device, Allocation::Kind::device, size);
  made->source = Allocation::Source::heap;
  return made;
}

}  // namespace

DeviceHeap::DeviceHeap(Context& context, CUdevice device, std::size_t size)
    : memory_(make_memory(context, device, size)) {}

bool DeviceHeap::contains(std::uint64_t address) const {
  return address - memory_->start() < memory_->size;
}

bool DeviceHeap::fits(std::size_t offset, std::size_t size) const {
  if (size > memory_->size || offset > memory_->size - size) return false;
  const auto next = blocks_.lower_bound(offset);
  return next == blocks_.end() || offset + size + gap <= next->first;
}

std::uint64_t DeviceHeap::allocate(std::size_t wanted) {
  if (wanted == 0 || wanted > memory_->size) return 0;
  const std::size_t size = aligned(wanted);
  std::lock_guard lock(mutex_);
  std::size_t offset = fresh_;
  if (fits(offset, size)) {
    fresh_ += size + gap;
  } else {
    offset = 0;
    for (const auto& [start, length] : blocks_) {
      if (fits(offset, size)) break;
      offset = start + aligned(length) + gap;
    }
    if (!fits(offset, size)) return 0;
  }
  blocks_[offset] = wanted;
  std::memset(memory_->region.backing + offset, poison, size);
  return memory_->start() + offset;
}

bool DeviceHeap::release(std::uint64_t address) {
  std::lock_guard lock(mutex_);
  return blocks_.erase(address - memory_->start()) != 0;
}

std::byte* DeviceHeap::find(std::uint64_t address, std::size_t size) {
  const std::size_t offset = address - memory_->start();
  std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(offset);
  if (after == blocks_.begin()) return nullptr;
  const auto [start, length] = *std::prev(after);
  const std::size_t inside = offset - start;
  if (inside >= length || size > length - inside) return nullptr;
  return memory_->at(address);
}

std::string DeviceHeap::describe(std::uint64_t address, std::size_t size) {
  const std::size_t offset = address - memory_->start();
  std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(offset);
  if (after == blocks_.begin()) return "in the heap of kernels, before every block";
  const auto [start, length] = *std::prev(after);
  return "in the heap of kernels, " + std::to_string(offset + size - start - length) +
         " bytes past the end of a block of " + std::to_string(length);
}

}  // namespace array_interface::cuda_simulator
