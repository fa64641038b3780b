#include "block.hpp"

#include <iterator>
#include <string>
#include <utility>

#include "runtime.hpp"

namespace array_interface::sycl {

namespace {

const Guarded<void*(std::size_t, std::size_t, void*)>& Allocator(const Dpctl& dpctl, UsmType type) {
  switch (type) {
    case UsmType::kDevice:
      return dpctl.aligned_alloc_device;
    case UsmType::kShared:
      return dpctl.aligned_alloc_shared;
    case UsmType::kHost:
      return dpctl.aligned_alloc_host;
    case UsmType::kUnknown:
      break;
  }
  throw SyclError("ERR_ARGUMENT", "memoryKind",
                  "expected device, shared or host memory, got another kind");
}

}  // namespace

std::shared_ptr<Block> Block::Allocate(Runtime& runtime, std::shared_ptr<Place> place, UsmType type,
                                       std::size_t alignment, std::size_t size) {
  const auto& allocate = Allocator(runtime.dpctl(), type);
  void* pointer = allocate(alignment, size, place->allocation_queue());
  if (pointer == nullptr) {
    throw SyclError({"ERR_OUT_OF_MEMORY", "",
                     "expected " + std::to_string(size) + " bytes on " + place->selector +
                         ", aligned to " + std::to_string(alignment) +
                         ", got none; dispose arrays that are no longer needed",
                     "", 0, allocate.name()});
  }
  auto* block = new Block(runtime, std::move(place), type, static_cast<std::byte*>(pointer), size);
  std::shared_ptr<Block> shared(block);
  runtime.blocks().Add(shared);
  return shared;
}

Block::Block(Runtime& runtime, std::shared_ptr<Place> place, UsmType type, std::byte* pointer,
             std::size_t size)
    : runtime_(runtime), place_(std::move(place)), type_(type), pointer_(pointer), size_(size) {}

Block::~Block() {
  try {
    runtime_.dpctl().free_with_context(pointer_, place_->context.get());
  } catch (...) {
    // leaked: nobody is left to be told
  }
  runtime_.blocks().Remove(*this);
}

void BlockTable::Add(const std::shared_ptr<Block>& block) {
  std::lock_guard lock(mutex_);
  const std::uintptr_t start = block->address();
  // memory that comes anew was freed: who freed it has yet to take its entry out
  blocks_.erase(blocks_.lower_bound(start), blocks_.lower_bound(start + block->size()));
  blocks_[start] = {block, block.get(), block->size()};
}

void BlockTable::Remove(const Block& block) {
  std::lock_guard lock(mutex_);
  const auto found = blocks_.find(block.address());
  if (found != blocks_.end() && found->second.identity == &block) blocks_.erase(found);
}

const BlockTable::Entry* BlockTable::Around(std::uintptr_t address) const {
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const auto& [start, entry] = *std::prev(after);
  return address - start < entry.size ? &entry : nullptr;
}

std::shared_ptr<Block> BlockTable::Find(std::uintptr_t address) const {
  std::shared_ptr<Block> block;  // outlives the lock: its end may be here, and needs it
  std::lock_guard lock(mutex_);
  const Entry* entry = Around(address);
  if (entry != nullptr) block = entry->block.lock();
  return block != nullptr && !block->given_up() ? block : nullptr;
}

bool BlockTable::IsEnding(std::uintptr_t address) const {
  std::shared_ptr<Block> block;  // outlives the lock, as above
  std::lock_guard lock(mutex_);
  const Entry* entry = Around(address);
  if (entry == nullptr) return false;
  block = entry->block.lock();
  return block == nullptr || block->given_up();
}

std::size_t BlockTable::count() const {
  std::lock_guard lock(mutex_);
  return blocks_.size();
}

}  // namespace array_interface::sycl
