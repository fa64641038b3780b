#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "bindings/describe.hpp"
#include "device/capsule.hpp"
#include "memory/usm_allocation.hpp"
#include "work/runtime.hpp"

namespace array_interface::sycl {

namespace {

[[noreturn]] void RefuseMemory(const ContextDevice& context_device, UsmType type, std::size_t size,
                               std::size_t pending_bytes) {
  std::string message =
      "expected " + std::to_string(size) + " bytes on " + context_device.selector + ", got none";
  message += pending_bytes > 0
                 ? "; " + std::to_string(pending_bytes) +
                       " bytes are still pending: await the work on what you disposed "
                       "of, or use sycl.array(), which waits for them"
                 : "; nothing is pending: dispose of arrays or use smaller ones";
  const auto& function = UsmAllocation::FunctionFor(context_device.dpctl, type);
  throw SyclError({"ERR_OUT_OF_MEMORY", "", std::move(message), "", 0, function.name()});
}

/// allocate(contextDevice, type, alignment, byteLength, timeout): allocates memory. Blocks for at
/// most `timeout` milliseconds while memory is being freed.
Napi::Value Allocate(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  const auto context_device = SyclBackend::ReadDevice(info[0]);
  const auto type = static_cast<UsmType>(ReadSize(info[1], "memoryKind"));
  const std::size_t alignment = ReadSize(info[2], "alignment");
  const std::size_t size = ReadSize(info[3], "byteLength");
  const std::chrono::milliseconds timeout(ReadSize(info[4], "timeout"));
  auto tried = ProcessAllocator().Try(
      context_device->name(), UsmAllocation::KindOf(type, alignment), size, timeout,
      [&] { return UsmAllocation::Make(runtime.blocks(), context_device, type, alignment, size); });
  if (tried.allocation == nullptr) RefuseMemory(*context_device, type, size, tried.pending_bytes);
  auto block = UsmAllocation::Hold(std::move(tried.allocation), context_device);
  runtime.blocks().Add(block);
  return DescribeMemory(info.Env(), std::make_shared<SyclMemory>(info.Env(), context_device, type,
                                                                 std::move(block), true));
}

/// Keeps the producer of another library's memory, if it is an object, while work is pending.
void KeepProducer(SyclMemory& memory, const Napi::Value& producer) {
  if (memory.allocation() != nullptr) return;
  memory.ref().set_keep(SyclAddon::Of(producer.Env()).object_refs().KeeperOf(producer));
}

/// borrow(contextDevice, pointer, producer, queue, sync): returns the memory around an address in a
/// context, which the caller has proved: another reference to this library's memory, or one to
/// another library's. Null if the context has none.
Napi::Value Borrow(const Napi::CallbackInfo& info) {
  const auto context_device = SyclBackend::ReadDevice(info[0]);
  PointerFound found = Runtime::Get().FindIn(context_device, ReadPointer(info[1], "pointer"));
  if (!found.IsToBeHad()) return info.Env().Null();
  auto& block = found.block;
  if (block == nullptr) block = Block::Borrowed(ProcessAllocator());
  const auto imported = ImportedFrom(info[2]);
  if (imported != nullptr) block = Block::With(std::move(block), imported);
  auto memory = std::make_shared<SyclMemory>(info.Env(), std::move(found.context_device),
                                             found.type, std::move(block), false);
  KeepProducer(*memory, info[2]);
  if (!info[3].IsNull()) {
    memory->ref().Follow(OrderOf<SyclBackend>(imported, LiveQueue<Queue>(info[3])),
                         ReadSync(info[4]));
  }
  return DescribeMemory(info.Env(), memory);
}

/// lend(memory, producer): returns another reference to the same block, with the same dependencies.
Napi::Value Lend(const Napi::CallbackInfo& info) {
  const auto lender = LiveMemory<SyclMemory>(info[0], "memory");
  auto memory = std::make_shared<SyclMemory>(info.Env(), lender->context_device(), lender->type(),
                                             lender->ref().block(), false);
  KeepProducer(*memory, info[1]);
  memory->ref().FollowAs(lender->ref());
  return DescribeMemory(info.Env(), memory);
}

/// import(contextDevice, owner): returns memory of this process that is not USM, but that the
/// device can access. Keeps the owner while work on the memory is pending.
Napi::Value Import(const Napi::CallbackInfo& info) {
  auto context_device = SyclBackend::ReadDevice(info[0]);
  auto memory =
      std::make_shared<SyclMemory>(info.Env(), std::move(context_device), UsmType::kUnknown,
                                   Block::Borrowed(ProcessAllocator()), false);
  KeepProducer(*memory, info[1]);
  return DescribeMemory(info.Env(), memory);
}

}  // namespace

void BindMemory(Napi::Object exports) {
  AddExports(exports, {
                          {"allocate", kFunction<Allocate>},
                          {"borrow", kFunction<Borrow>},
                          {"lend", kFunction<Lend>},
                          {"import", kFunction<Import>},
                      });
}

}  // namespace array_interface::sycl
