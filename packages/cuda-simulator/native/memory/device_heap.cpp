#include "device_heap.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace array_interface::cuda_simulator {
namespace {

constexpr std::size_t gap = 16;
constexpr int poison = 0xCB;

std::size_t aligned(std::size_t size) { return (size + 15) / 16 * 16; }

std::string name_of_block(std::size_t size) {
  return "a block of " + std::to_string(size) + " bytes";
}

Neighbour block_at(const Ranges::value_type& block) {
  return {block.first, block.second, name_of_block(block.second)};
}

}  // namespace

DeviceHeap::DeviceHeap(Context& context, CUdevice device, std::size_t size)
    : memory_(allocations().make(context, device, Allocation::Kind::device, size, 0,
                                 Allocation::Source::heap)) {}

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
  if (!fits(offset, size)) {
    offset = 0;
    for (const auto& [start, length] : blocks_) {
      if (fits(offset, size)) break;
      offset = start + aligned(length) + gap;
    }
    if (!fits(offset, size)) return 0;
  }
  fresh_ = std::max(fresh_, offset + size + gap);
  forget_freed(offset, size);
  blocks_[offset] = wanted;
  std::memset(memory_->region.backing + offset, poison, size);
  return memory_->start() + offset;
}

bool DeviceHeap::release(std::uint64_t address) {
  std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address - memory_->start());
  if (found == blocks_.end()) return false;
  freed_.insert(blocks_.extract(found));
  return true;
}

/// Must be called with the lock held.
void DeviceHeap::forget_freed(std::size_t offset, std::size_t size) {
  auto place = freed_.upper_bound(offset);
  if (place != freed_.begin() && std::prev(place)->first + std::prev(place)->second > offset) {
    --place;
  }
  while (place != freed_.end() && place->first < offset + size) place = freed_.erase(place);
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
  const std::string heap = "in the heap of kernels, ";
  const std::size_t offset = address - memory_->start();
  std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(offset);
  std::optional<Neighbour> before;
  if (after != blocks_.begin()) before = block_at(*std::prev(after));
  std::optional<Neighbour> next;
  if (after != blocks_.end()) next = block_at(*after);
  if (before && offset + size <= before->start + before->size) {
    return heap + std::to_string(offset - before->start) + " bytes into " + before->name;
  }
  const bool is_inside = before && offset < before->start + before->size;
  const auto freed = size_around(freed_, offset);
  if (freed && !is_inside) return heap + "in " + name_of_block(*freed) + " that was freed";
  const std::string text = distance_text(offset, size, before, next);
  return heap + (text.empty() ? "which has no block" : text);
}

}  // namespace array_interface::cuda_simulator
