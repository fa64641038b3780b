#include "usm_allocation.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "memory/process_allocator.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kTypes = 4;  // the number of USM types

}  // namespace

const Guarded<void*(std::size_t, std::size_t, void*)>& UsmAllocation::FunctionFor(
    const Dpctl& dpctl, UsmType type) {
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

int UsmAllocation::KindOf(UsmType type, std::size_t alignment) {
  int kind = static_cast<int>(type);
  for (std::size_t power = kUsualAlignment; power < alignment && power != 0; power <<= 1) {
    kind += kTypes;
  }
  return kind;
}

std::unique_ptr<UsmAllocation> UsmAllocation::Make(
    BlockTable& table, const std::shared_ptr<ContextDevice>& context_device, UsmType type,
    std::size_t alignment, std::size_t size) {
  const std::size_t aligned = std::max(alignment, kUsualAlignment);
  void* const pointer =
      FunctionFor(context_device->dpctl, type)(aligned, size, context_device->allocation_queue());
  if (pointer == nullptr) return nullptr;
  return std::unique_ptr<UsmAllocation>(
      new UsmAllocation(table, context_device, type, aligned, size, pointer));
}

std::shared_ptr<Block> UsmAllocation::Hold(std::unique_ptr<Allocation> allocation,
                                           std::shared_ptr<ContextDevice> context_device) {
  const auto drop = [context_device = std::move(context_device)](void*) mutable {
    ExitGate::Instance().Drop(std::move(context_device));
  };
  return Block::Of(ProcessAllocator(), std::move(allocation), {static_cast<void*>(nullptr), drop});
}

UsmAllocation::UsmAllocation(BlockTable& table,
                             const std::shared_ptr<ContextDevice>& context_device, UsmType type,
                             std::size_t alignment, std::size_t size, void* pointer)
    : Allocation(context_device->name(), KindOf(type, alignment), size),
      table_(table),
      dpctl_(context_device->dpctl),
      home_(context_device),
      context_(context_device->shared_context),
      type_(type),
      piece_(context_device->PieceOf(type)),
      kept_at_most_(alignment > kUsualAlignment ? 0 : context_device->KeptAtMost(type)) {
  set_pointer(reinterpret_cast<std::uintptr_t>(pointer));
}

UsmAllocation::~UsmAllocation() { ExitGate::Instance().Drop(std::move(context_)); }

void UsmAllocation::Release() noexcept {
  ExitGate::Instance().Pass([this] {
    try {
      dpctl_.free_with_context(reinterpret_cast<void*>(pointer()), context_->get());
    } catch (...) {
      // It leaks, since no caller is left to receive the error.
    }
  });
  table_.Remove(*this);
}

}  // namespace array_interface::sycl
