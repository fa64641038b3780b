#include <cstdint>
#include <memory>
#include <utility>

#include "bind.hpp"
#include "capsule/exported.hpp"
#include "capsule/imported.hpp"
#include "memory/sycl_memory.hpp"
#include "napi/handle.hpp"
#include "sycl_addon.hpp"
#include "threads/exit_gate.hpp"
#include "work/queue_use.hpp"
#include "work/runtime.hpp"

namespace array_interface::sycl {

namespace {

/// Exported memory, and the queue that was named to the consumer. This library's later work waits
/// for that queue.
class HeldMemory final : public ExportedMemory {
 public:
  HeldMemory(MemoryRef& ref, std::shared_ptr<ContextDevice> context_device,
             std::unique_ptr<QueueUse> use)
      : producer_(ref.KeepProducer()),
        parts_(std::make_unique<Parts>(
            Parts{std::move(context_device), Pin(ref.block()), std::move(use)})) {}
  // Destroying each part calls the runtime.
  ~HeldMemory() override { ExitGate::Instance().Drop(std::move(parts_)); }

  // If the queue cannot wait for the consumer's work, this thread does, before this library's later
  // work is enqueued.
  void Consumed(ai_order_kind kind, void* order) noexcept override {
    ExitGate::Instance().Pass([&] {
      try {
        WaitFor(kind, order);
      } catch (...) {
        BlockUntil(kind, order);
      }
    });
  }

 private:
  struct Parts {
    std::shared_ptr<ContextDevice> context_device;
    Pin pin;
    std::unique_ptr<QueueUse> use;
  };

  void WaitFor(ai_order_kind kind, void* order) {
    if (order == nullptr) return;  // the consumer names no work
    const auto& queue = parts_->use->queue();
    if (kind == AI_SYCL_EVENT) queue->WaitFor(order);
    if (kind != AI_SYCL_QUEUE) return;
    auto consumers = Runtime::Get().AdoptQueue(order);
    if (consumers == nullptr) return BlockUntil(kind, order);  // the queue is ending
    const QueueUse use(std::move(consumers));
    queue->Wait(*use.queue()->RecordEvent());
  }

  /// If this fails, too, nothing tells when the consumer has finished with the memory.
  void BlockUntil(ai_order_kind kind, void* order) const noexcept {
    const Dpctl& dpctl = parts_->context_device->dpctl;
    try {
      if (kind == AI_SYCL_EVENT) dpctl.Event_WaitAndThrow(order);
      if (kind == AI_SYCL_QUEUE) dpctl.Queue_Wait(order);
    } catch (const SyclError&) {
      KeepForGood(parts_->pin.block());
    }
  }

  std::shared_ptr<void> producer_;
  std::unique_ptr<Parts> parts_;
};

/// exportCapsule(memory, fields, queue): returns a capsule of an array. `exportOn` has prepared the
/// queue for consumers.
Napi::Value ExportCapsule(const Napi::CallbackInfo& info) {
  const auto memory = Handle<SyclMemory>::Unwrap(info[0], "memory");
  void* const queue = Handle<QueueUse>::Unwrap(info[2], "queue")->queue()->HandOut();
  auto use = std::make_unique<QueueUse>(Runtime::Get().AdoptQueue(queue));
  void* const context = memory->context_device()->context.get();
  auto held = std::make_unique<HeldMemory>(memory->ref(), memory->context_device(), std::move(use));
  return Give(info.Env(), info[1], std::move(held), {AI_SYCL_QUEUE, queue, context, true});
}

/// importCapsule(capsule, contents): returns the capsule's contents in the form of `contents`. Null
/// if the object is not a capsule.
Napi::Value ImportCapsule(const Napi::CallbackInfo& info) {
  return Take(info[0], info[1], HoldUntilBorrowed);
}

/// enqueueWaitForProducer(queue, handle): makes a queue wait for the event of an imported array.
Napi::Value EnqueueWaitForProducer(const Napi::CallbackInfo& info) {
  const auto& queue = Handle<QueueUse>::Unwrap(info[0], "queue")->queue();
  queue->WaitFor(EventOf(info[1]));
  return info.Env().Undefined();
}

}  // namespace

void BindCapsule(Napi::Object exports) {
  AddExports(exports, {
                          {"exportCapsule", kFunction<ExportCapsule>},
                          {"importCapsule", kFunction<ImportCapsule>},
                          {"enqueueWaitForProducer", kFunction<EnqueueWaitForProducer>},
                      });
}

}  // namespace array_interface::sycl
