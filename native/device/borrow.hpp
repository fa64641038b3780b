#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "capsule/imported.hpp"
#include "device/device_memory.hpp"
#include "device/guarded.hpp"
#include "device/queue.hpp"
#include "memory/memory_ref.hpp"
#include "memory/process_allocator.hpp"
#include "napi/argument.hpp"

namespace array_interface {

/// Reads how a loan is ordered with its producer's work, as core names it.
inline Sync ReadSync(const Napi::Value& value) {
  const std::string sync = ReadString(value, "sync");
  if (sync == "wait") return Sync::kWait;
  return sync == "block" ? Sync::kBlock : Sync::kNone;
}

/// Returns the queue after which work on an imported array is ordered. If the producer's capsule
/// names an event, the queue notifies the producer.
template <class Backend>
std::shared_ptr<WorkQueue> OrderOf(std::shared_ptr<ImportedArray> imported,
                                   std::shared_ptr<typename Backend::Queue> queue) {
  if (imported == nullptr || !imported->wants_telling()) return queue;
  void* const native = queue->HandOut();
  return std::make_shared<ProducerQueue>(
      std::move(queue),
      [imported = std::move(imported), native] { imported->Tell(Backend::kOrderKind, native); });
}

/// Returns a reference to memory of a producer; `parts.block` is null unless it is this library's.
/// Another library's producer is kept while work on its memory is pending. So is what a capsule
/// holds, whichever library the memory belongs to.
template <class Backend>
Napi::Value BorrowFrom(const Napi::Value& producer, typename Backend::Memory::Parts parts) {
  const Napi::Env env = producer.Env();
  const bool is_strangers = parts.block == nullptr;
  if (is_strangers) parts.block = Block::Borrowed(ProcessAllocator());
  if (auto imported = ImportedFrom(producer)) {
    parts.block = Block::With(std::move(parts.block), std::move(imported));
  }
  auto memory = std::make_shared<typename Backend::Memory>(env, std::move(parts));
  if (is_strangers) memory->ref().set_keep(Backend::ObjectRefsOf(env).KeeperOf(producer));
  return Backend::Describe(env, std::move(memory));
}

/// borrow(device, pointer, producer, …): the memory around an address, which the caller has proved:
/// another reference to this library's memory, or one to another library's. Null if there is none.
template <class Backend>
Napi::Value Borrow(const Napi::CallbackInfo& info) {
  auto found = Backend::Find(info[0], ReadPointer(info[1], "pointer"), info[3]);
  if (!found) return info.Env().Null();
  return BorrowFrom<Backend>(info[2], *std::move(found));
}

/// lend(memory, sync): another reference to the same memory. Its work is ordered after that of the
/// lender's producer: as the lender's is, or as `sync` says.
template <class Backend>
Napi::Value Lend(const Napi::CallbackInfo& info) {
  using Memory = typename Backend::Memory;
  const auto lender = LiveMemory<Memory>(info[0], "memory");
  auto loan = std::make_shared<Memory>(info.Env(), lender->parts());
  loan->ref().set_keep(lender->ref().keep());
  std::optional<Sync> sync;
  if (!info[1].IsUndefined()) sync = ReadSync(info[1]);
  loan->ref().FollowAs(lender->ref(), sync);
  return Backend::Describe(info.Env(), std::move(loan));
}

/// follow(memory, queue, sync, producer): orders work on the memory with its producer's work on a
/// queue, or with none if that is null.
template <class Backend>
Napi::Value Follow(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory<typename Backend::Memory>(info[0], "memory");
  std::shared_ptr<WorkQueue> order;
  if (!info[1].IsNull()) {
    std::shared_ptr<ImportedArray> imported;
    if (info[3].IsExternal()) {
      imported = Handle<ImportedHandle>::Unwrap(info[3], "producer")->Peek();
    }
    order = OrderOf<Backend>(std::move(imported), LiveQueue<typename Backend::Queue>(info[1]));
  }
  memory->ref().Follow(std::move(order), ReadSync(info[2]));
  return info.Env().Undefined();
}

template <class Backend>
void BindDeviceBorrow(Napi::Object exports) {
  AddExports(exports, {
                          {"borrow", kDeviceFunction<Backend, Borrow<Backend>>},
                          {"lend", kDeviceFunction<Backend, Lend<Backend>>},
                          {"follow", kDeviceFunction<Backend, Follow<Backend>>},
                      });
}

}  // namespace array_interface
