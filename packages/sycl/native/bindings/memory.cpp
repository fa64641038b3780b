#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "capsule/imported.hpp"
#include "describe.hpp"
#include "driver/background.hpp"
#include "memory/sycl_memory.hpp"
#include "memory/usm_allocation.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "sycl_addon.hpp"
#include "wait_for_all.hpp"
#include "work/queue_use.hpp"
#include "work/runtime.hpp"

namespace array_interface::sycl {

namespace {

std::shared_ptr<SyclMemory> ReadMemory(const Napi::Value& value) {
  return Handle<SyclMemory>::Unwrap(value, "memory");
}

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
  const auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  const auto type = static_cast<UsmType>(ReadSize(info[1], "memoryKind"));
  const std::size_t alignment = ReadSize(info[2], "alignment");
  const std::size_t size = ReadSize(info[3], "byteLength");
  const std::chrono::milliseconds timeout(ReadSize(info[4], "timeout"));
  CachingAllocator& allocator = Background::Instance().allocator();
  auto tried = allocator.Try(
      context_device->name(), UsmAllocation::KindOf(type, alignment), size, timeout,
      [&] { return UsmAllocation::Make(runtime.blocks(), context_device, type, alignment, size); });
  if (tried.allocation == nullptr) RefuseMemory(*context_device, type, size, tried.pending_bytes);
  auto block = UsmAllocation::Hold(std::move(tried.allocation), context_device);
  runtime.blocks().Add(block);
  return DescribeMemory(info.Env(), std::make_shared<SyclMemory>(info.Env(), context_device, type,
                                                                 std::move(block), true));
}

/// returned(): returns how many times memory has been freed.
Napi::Value Returned(const Napi::CallbackInfo& info) {
  const auto count = Background::Instance().allocator().returned();
  return Napi::Number::New(info.Env(), static_cast<double>(count));
}

/// memoryReturned(contextDevice, returned): returns a promise that settles when memory is freed
/// again, or when none of this context and device is being freed.
Napi::Value MemoryReturned(const Napi::CallbackInfo& info) {
  const auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  const std::uint64_t seen = ReadSize(info[1], "returned");
  const auto eager_polling = Background::Instance().allocator().PollEagerly();
  const auto look = [context_device, eager_polling, seen] {
    CachingAllocator& allocator = Background::Instance().allocator();
    return PollResult{
        allocator.HasReturned(seen) || allocator.PendingBytes(context_device->name()) == 0,
        std::nullopt};
  };
  return SyclAddon::Of(info.Env()).settler().Wait(info.Env(), look);
}

Sync ReadSync(const Napi::Value& value) {
  const std::string sync = ReadString(value, "sync");
  if (sync == "wait") return Sync::kWait;
  return sync == "block" ? Sync::kBlock : Sync::kNone;
}

/// Returns the queue after which work on an imported array is ordered. If the producer's capsule
/// names an event, the queue notifies the producer.
std::shared_ptr<WorkQueue> OrderOf(std::shared_ptr<ImportedArray> imported,
                                   std::shared_ptr<Queue> queue) {
  if (imported == nullptr || !imported->wants_telling()) return queue;
  void* const native = queue->HandOut();
  return std::make_shared<ProducerQueue>(
      std::move(queue),
      [imported = std::move(imported), native] { imported->Tell(AI_SYCL_QUEUE, native); });
}

/// Keeps the producer of another library's memory, if it is an object, while work is pending.
void KeepProducer(SyclMemory& memory, const Napi::Value& producer) {
  if (memory.block()->allocation() != nullptr) return;
  memory.ref().set_keep(SyclAddon::Of(producer.Env()).object_refs().KeeperOf(producer));
}

/// borrow(contextDevice, pointer, producer, queue, sync): returns the memory around an address in a
/// context, which the caller has proved: another reference to this library's memory, or one to
/// another library's. Null if the context has none.
Napi::Value Borrow(const Napi::CallbackInfo& info) {
  const auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  PointerFound found = Runtime::Get().FindIn(context_device, ReadPointer(info[1], "pointer"));
  if (!found.IsToBeHad()) return info.Env().Null();
  auto& block = found.block;
  if (block == nullptr) block = Block::Borrowed(Background::Instance().allocator());
  const auto imported = ImportedFrom(info[2]);
  if (imported != nullptr) block = Block::With(std::move(block), imported);
  auto memory = std::make_shared<SyclMemory>(info.Env(), std::move(found.context_device),
                                             found.type, std::move(block), false);
  KeepProducer(*memory, info[2]);
  if (!info[3].IsNull()) {
    auto order = OrderOf(imported, Handle<QueueUse>::Unwrap(info[3], "queue")->queue());
    memory->ref().Follow(std::move(order), ReadSync(info[4]));
  }
  return DescribeMemory(info.Env(), memory);
}

/// lend(memory, producer): returns another reference to the same block, with the same dependencies.
Napi::Value Lend(const Napi::CallbackInfo& info) {
  const auto lender = ReadMemory(info[0]);
  auto memory = std::make_shared<SyclMemory>(info.Env(), lender->context_device(), lender->type(),
                                             lender->block(), false);
  KeepProducer(*memory, info[1]);
  memory->ref().FollowAs(lender->ref());
  return DescribeMemory(info.Env(), memory);
}

/// import(contextDevice, owner): returns memory of this process that is not USM, but that the
/// device can access. Keeps the owner while work on the memory is pending.
Napi::Value Import(const Napi::CallbackInfo& info) {
  auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  auto memory =
      std::make_shared<SyclMemory>(info.Env(), std::move(context_device), UsmType::kUnknown,
                                   Block::Borrowed(Background::Instance().allocator()), false);
  KeepProducer(*memory, info[1]);
  return DescribeMemory(info.Env(), memory);
}

/// endMemory(memory): releases the reference. Does not block.
Napi::Value EndMemory(const Napi::CallbackInfo& info) {
  ReadMemory(info[0])->End();
  return info.Env().Undefined();
}

/// exportOn(memory, queue): makes a queue wait for all work on the memory, before the queue is
/// named to consumers.
Napi::Value ExportOn(const Napi::CallbackInfo& info) {
  const auto memory = ReadMemory(info[0]);
  memory->ref().Export(Handle<QueueUse>::Unwrap(info[1], "queue")->queue());
  return info.Env().Undefined();
}

/// settle(memory, queue): returns a promise that settles once all work on the memory has ended,
/// including other libraries'. The queue waits for that work.
Napi::Value Settle(const Napi::CallbackInfo& info) {
  const auto memory = ReadMemory(info[0]);
  const auto event = memory->ref().Settle(Handle<QueueUse>::Unwrap(info[1], "queue")->queue());
  return WaitForAll(info.Env(), {std::static_pointer_cast<SyclEvent>(event)});
}

/// waitMemory(memory): returns a promise that settles once this library's work on the memory
/// has ended.
Napi::Value WaitMemory(const Napi::CallbackInfo& info) {
  const auto block = ReadMemory(info[0])->block();
  std::vector<std::shared_ptr<SyclEvent>> events;
  {
    const std::lock_guard lock(block->tracker().mutex());
    for (const auto& event : block->tracker().Last()) {
      events.push_back(std::static_pointer_cast<SyclEvent>(event));
    }
  }
  return WaitForAll(info.Env(), std::move(events));
}

}  // namespace

void BindMemory(Napi::Object exports) {
  AddExports(exports, {
                          {"allocate", kFunction<Allocate>},
                          {"memoryReturned", kFunction<MemoryReturned>},
                          {"returned", kFunction<Returned>},
                          {"borrow", kFunction<Borrow>},
                          {"lend", kFunction<Lend>},
                          {"import", kFunction<Import>},
                          {"endMemory", kFunction<EndMemory>},
                          {"exportOn", kFunction<ExportOn>},
                          {"settle", kFunction<Settle>},
                          {"waitMemory", kFunction<WaitMemory>},
                      });
}

}  // namespace array_interface::sycl
