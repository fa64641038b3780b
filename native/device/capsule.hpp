#pragma once

#include <exception>
#include <memory>
#include <utility>

#include "capsule/exported.hpp"
#include "capsule/imported.hpp"
#include "device/device_memory.hpp"
#include "device/guarded.hpp"
#include "device/queue.hpp"
#include "memory/memory_ref.hpp"

namespace array_interface {

/// Exported memory, and the queue that was named to the consumer, if any. This library's later work
/// waits for that queue.
template <class Backend>
class ExportedDeviceMemory final : public ExportedMemory {
 public:
  using Queue = typename Backend::Queue;

  ExportedDeviceMemory(typename Backend::Memory& memory, const std::shared_ptr<Queue>& queue)
      : producer_(memory.ref().KeepProducer()),
        parts_(new Parts{Backend::DeviceOf(memory), Pin(memory.ref().block()),
                         QueueUse<Queue>(queue == nullptr ? nullptr : Backend::Use(queue))}) {}
  ~ExportedDeviceMemory() override { Backend::Drop(std::move(parts_)); }

  // If the queue cannot wait, for example because it is captured, blocks this thread instead,
  // before later work is enqueued.
  void Consumed(ai_order_kind kind, void* order) noexcept override {
    Backend::CallDriver([&] {
      try {
        Backend::WaitForConsumer(*parts_->use.queue(), kind, order);
      } catch (...) {
        BlockUntil(kind, order);
      }
    });
  }

 private:
  struct Parts {
    std::shared_ptr<void> device;
    Pin pin;
    QueueUse<Queue> use;
  };

  /// If this is refused too, nobody can tell when the consumer has finished with the memory.
  void BlockUntil(ai_order_kind kind, void* order) const noexcept {
    try {
      Backend::BlockUntilConsumed(*parts_->use.queue(), kind, order);
    } catch (const std::exception& error) {
      if (!Backend::EndsWork(error)) KeepForGood(parts_->pin.block());
    }
  }

  std::shared_ptr<void> producer_;  // destroyed last
  std::unique_ptr<Parts> parts_;
};

/// exportCapsule(memory, queue, isReady, ...fields): a capsule of an array. The queue is the one
/// that exportOn named to consumers; null if consumers order their work themselves. `isReady`: all
/// work has ended.
template <class Backend>
Napi::Value ExportCapsule(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory<typename Backend::Memory>(info[0], "memory");
  std::shared_ptr<typename Backend::Queue> queue;
  if (!info[1].IsNull()) queue = LiveQueue<typename Backend::Queue>(info[1]);
  ExportOrder order;
  order.hears = queue != nullptr;
  order.context = Backend::NativeContextOf(*memory);
  if (queue != nullptr && !info[2].ToBoolean()) {
    order.kind = Backend::kOrderKind;
    order.handle = queue->HandOut();
  }
  return Give(info, 3, std::make_unique<ExportedDeviceMemory<Backend>>(*memory, queue), order);
}

/// importCapsule(capsule, contents): the result of `contents`, or null if the object is not a
/// capsule.
inline Napi::Value ImportCapsule(const Napi::CallbackInfo& info) {
  return Take(info[0], info[1], HoldUntilBorrowed);
}

/// enqueueWaitForProducer(queue, handle): makes a queue wait for the event of an imported capsule.
template <class Backend>
Napi::Value EnqueueWaitForProducer(const Napi::CallbackInfo& info) {
  const auto queue = LiveQueue<typename Backend::Queue>(info[0]);
  queue->WaitFor(EventOf(info[1]));
  return info.Env().Undefined();
}

template <class Backend>
void BindDeviceCapsule(Napi::Object exports) {
  AddExports(exports, {
                          {"exportCapsule", kDeviceFunction<Backend, ExportCapsule<Backend>>},
                          {"importCapsule", kDeviceFunction<Backend, ImportCapsule>},
                          {"enqueueWaitForProducer",
                           kDeviceFunction<Backend, EnqueueWaitForProducer<Backend>>},
                      });
}

}  // namespace array_interface
