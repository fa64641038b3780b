#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "capsule/taken.hpp"
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

[[noreturn]] void RefuseMemory(const Place& place, UsmType type, std::size_t size,
                               std::size_t on_their_way) {
  std::string message =
      "expected " + std::to_string(size) + " bytes on " + place.selector + ", got none";
  message += on_their_way > 0 ? ", though " + std::to_string(on_their_way) +
                                    " bytes are on their way back; wait for the work on them with "
                                    "synchronize(), or use array(), which waits for memory"
                              : "; dispose arrays that are no longer needed";
  const auto& function = UsmAllocation::FunctionFor(place.dpctl, type);
  throw SyclError({"ERR_OUT_OF_MEMORY", "", std::move(message), "", 0, function.name()});
}

/// allocate(place, type, alignment, byteLength, patience): new memory. Waits at most so many
/// milliseconds for memory on its way back.
Napi::Value Allocate(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  const auto place = Handle<Place>::Unwrap(info[0], "context");
  const auto type = static_cast<UsmType>(ReadSize(info[1], "memoryKind"));
  const std::size_t alignment = ReadSize(info[2], "alignment");
  const std::size_t size = ReadSize(info[3], "byteLength");
  const std::chrono::milliseconds patience(ReadSize(info[4], "patience"));
  Reclaimer& reclaimer = Background::Instance().reclaimer();
  auto tried = reclaimer.Try(
      place->name(), UsmAllocation::KindOf(type, alignment), size, patience,
      [&] { return UsmAllocation::Make(runtime.blocks(), place, type, alignment, size); });
  if (tried.allocation == nullptr) RefuseMemory(*place, type, size, tried.on_their_way);
  auto block = UsmAllocation::Hold(std::move(tried.allocation), place);
  runtime.blocks().Add(block);
  return DescribeMemory(
      info.Env(), std::make_shared<SyclMemory>(info.Env(), place, type, std::move(block), true));
}

/// returned(): how often memory has come back.
Napi::Value Returned(const Napi::CallbackInfo& info) {
  const auto count = Background::Instance().reclaimer().returned();
  return Napi::Number::New(info.Env(), static_cast<double>(count));
}

/// memoryReturned(place, returned): a promise that settles once memory comes back once more, or
/// none of the place is on its way.
Napi::Value MemoryReturned(const Napi::CallbackInfo& info) {
  const auto place = Handle<Place>::Unwrap(info[0], "context");
  const std::uint64_t seen = ReadSize(info[1], "returned");
  const auto impatience = Background::Instance().reclaimer().Hasten();
  const auto look = [place, impatience, seen] {
    Reclaimer& reclaimer = Background::Instance().reclaimer();
    return Poll{reclaimer.HasReturned(seen) || reclaimer.OnTheirWay(place->name()) == 0,
                std::nullopt};
  };
  return SyclAddon::Of(info.Env()).waiter().Wait(info.Env(), look);
}

Sync ReadSync(const Napi::Value& value) {
  const std::string sync = ReadString(value, "sync");
  if (sync == "wait") return Sync::kWait;
  return sync == "block" ? Sync::kBlock : Sync::kNone;
}

/// The queue behind which work on a taken array goes, which tells a producer that gave an event.
std::shared_ptr<WorkQueue> OrderOf(std::shared_ptr<Taken> taken, std::shared_ptr<Queue> queue) {
  if (taken == nullptr || !taken->wants_telling()) return queue;
  void* const native = queue->HandOut();
  return std::make_shared<TellingQueue>(
      std::move(queue), [taken = std::move(taken), native] { taken->Tell(AI_SYCL_QUEUE, native); });
}

/// Keeps the producer of another library's memory, if it is an object, while work is pending.
void KeepProducer(SyclMemory& memory, const Napi::Value& producer) {
  if (memory.block()->allocation() != nullptr) return;
  memory.holder().set_keep(SyclAddon::Of(producer.Env()).kept_objects().KeeperOf(producer));
}

/// borrow(place, pointer, producer, queue, sync): memory around an address in the context of a
/// place, which was proved: a loan of ours, or another's. Null where the context has none.
Napi::Value Borrow(const Napi::CallbackInfo& info) {
  const auto place = Handle<Place>::Unwrap(info[0], "context");
  PointerFound found = Runtime::Get().FindIn(place, ReadPointer(info[1], "pointer"));
  if (!found.IsToBeHad()) return info.Env().Null();
  auto& block = found.block;
  if (block == nullptr) block = Block::Borrowed(Background::Instance().reclaimer());
  const auto taken = TakenFrom(info[2]);
  if (taken != nullptr) block = Block::With(std::move(block), taken);
  auto memory = std::make_shared<SyclMemory>(info.Env(), std::move(found.place), found.type,
                                             std::move(block), false);
  KeepProducer(*memory, info[2]);
  if (!info[3].IsNull()) {
    auto order = OrderOf(taken, Handle<QueueUse>::Unwrap(info[3], "queue")->queue());
    memory->holder().Follow(std::move(order), ReadSync(info[4]));
  }
  return DescribeMemory(info.Env(), memory);
}

/// lend(memory, producer): another interest in the same block, in the same order.
Napi::Value Lend(const Napi::CallbackInfo& info) {
  const auto lender = ReadMemory(info[0]);
  auto memory = std::make_shared<SyclMemory>(info.Env(), lender->place(), lender->type(),
                                             lender->block(), false);
  KeepProducer(*memory, info[1]);
  memory->holder().FollowAs(lender->holder());
  return DescribeMemory(info.Env(), memory);
}

/// import(place, owner): memory of this process that is no USM, but that the device reaches; the
/// object that owns it is kept while work on it is pending.
Napi::Value Import(const Napi::CallbackInfo& info) {
  auto place = Handle<Place>::Unwrap(info[0], "context");
  auto memory =
      std::make_shared<SyclMemory>(info.Env(), std::move(place), UsmType::kUnknown,
                                   Block::Borrowed(Background::Instance().reclaimer()), false);
  KeepProducer(*memory, info[1]);
  return DescribeMemory(info.Env(), memory);
}

/// endMemory(memory): lets go of it; waits for nothing.
Napi::Value EndMemory(const Napi::CallbackInfo& info) {
  ReadMemory(info[0])->End();
  return info.Env().Undefined();
}

/// exportOn(memory, queue): makes a queue wait for all work on the memory, as it will be named to
/// consumers.
Napi::Value ExportOn(const Napi::CallbackInfo& info) {
  const auto memory = ReadMemory(info[0]);
  memory->holder().Export(Handle<QueueUse>::Unwrap(info[1], "queue")->queue());
  return info.Env().Undefined();
}

/// settleOn(memory, queue): a promise for the end of all work on the memory, others' included,
/// which the queue waits for.
Napi::Value SettleOn(const Napi::CallbackInfo& info) {
  const auto memory = ReadMemory(info[0]);
  const auto point = memory->holder().Settle(Handle<QueueUse>::Unwrap(info[1], "queue")->queue());
  return WaitForAll(info.Env(), {std::static_pointer_cast<Event>(point)});
}

/// synchronizeMemory(memory): a promise for the end of our work on the memory.
Napi::Value SynchronizeMemory(const Napi::CallbackInfo& info) {
  const auto block = ReadMemory(info[0])->block();
  std::vector<std::shared_ptr<Event>> events;
  {
    const std::lock_guard lock(block->order().mutex());
    for (const auto& point : block->order().Last()) {
      events.push_back(std::static_pointer_cast<Event>(point));
    }
  }
  return WaitForAll(info.Env(), std::move(events));
}

}  // namespace

void BindMemory(Napi::Object exports) {
  Export<Allocate>(exports, "allocate");
  Export<MemoryReturned>(exports, "memoryReturned");
  Export<Returned>(exports, "returned");
  Export<Borrow>(exports, "borrow");
  Export<Lend>(exports, "lend");
  Export<Import>(exports, "import");
  Export<EndMemory>(exports, "endMemory");
  Export<ExportOn>(exports, "exportOn");
  Export<SettleOn>(exports, "settleOn");
  Export<SynchronizeMemory>(exports, "synchronizeMemory");
}

}  // namespace array_interface::sycl
