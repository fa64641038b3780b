#include <cstdint>
#include <memory>
#include <utility>

#include "bindings/bindings.hpp"
#include "capsule/exported.hpp"
#include "capsule/imported.hpp"
#include "driver/driver.hpp"
#include "memory/cuda_memory.hpp"
#include "napi/handle.hpp"
#include "work/held_stream.hpp"

namespace array_interface::cuda {

namespace {

/// Makes a stream wait for another library's event. Throws DriverError.
void WaitForEvent(const Stream& stream, void* event) {
  const ContextScope scope(*stream.context());
  Cuda().cuStreamWaitEvent(stream.handle(), static_cast<EventHandle>(event), 0);
}

/// Memory, and the stream that was named to the consumer. This library's later work waits for that
/// stream.
class HeldMemory final : public ExportedMemory {
 public:
  HeldMemory(MemoryRef& ref, std::shared_ptr<Stream> stream)
      : producer_(ref.KeepProducer()), pin_(ref.block()), stream_(std::move(stream)) {}

  // If the stream cannot wait, for example because it is captured, blocks this thread instead,
  // before later work is enqueued.
  void Consumed(ai_order_kind kind, void* order) noexcept override {
    try {
      WaitFor(kind, order);
    } catch (...) {
      BlockUntil(kind, order);
    }
  }

 private:
  Stream& stream() const { return *stream_.stream(); }

  std::shared_ptr<Stream> Named(void* order) const {
    const int device = stream().context()->device();
    return Stream::Named(reinterpret_cast<std::uint64_t>(order), device);
  }

  /// Queries the stream first, since a wait that fails would break its capture.
  void WaitFor(ai_order_kind kind, void* order) const {
    stream().AssertRuns();
    if (kind == AI_CUDA_EVENT) WaitForEvent(stream(), order);
    if (kind == AI_CUDA_STREAM) stream().Wait(*Named(order)->Mark());
  }

  /// If this is refused too, nobody can tell when the consumer has finished with the memory.
  void BlockUntil(ai_order_kind kind, void* order) const noexcept {
    try {
      const ContextScope scope(*stream().context());
      if (kind == AI_CUDA_EVENT) Cuda().cuEventSynchronize(static_cast<EventHandle>(order));
      if (kind == AI_CUDA_STREAM) Named(order)->Synchronize();
    } catch (const DriverError& error) {
      if (!EndsWork(error.result())) KeepForGood(pin_.block());
    }
  }

  std::shared_ptr<void> producer_;  // destroyed last
  Pin pin_;
  HeldStream stream_;
};

/// exportCapsule(memory, fields, stream, isReady): a capsule of an array. The stream is the one
/// that exportOn named to consumers; null if consumers order their work themselves. `isReady`: all
/// work has ended.
Napi::Value ExportCapsule(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory(info[0], "memory");
  std::shared_ptr<Stream> stream = info[2].IsNull() ? nullptr : LiveStream(info[2]);
  ExportOrder order;
  order.hears = stream != nullptr;
  if (stream != nullptr && !info[3].ToBoolean()) {
    order.kind = AI_CUDA_STREAM;
    order.handle = stream->handle();
  }
  auto held = std::make_unique<HeldMemory>(memory->ref(), std::move(stream));
  return Give(info.Env(), info[1], std::move(held), order);
}

/// importCapsule(capsule, contents): the result of `contents`, or null if the object is not a
/// capsule.
Napi::Value ImportCapsule(const Napi::CallbackInfo& info) {
  return Take(info[0], info[1], HoldUntilBorrowed);
}

/// enqueueWaitForProducer(stream, handle): makes a stream wait for the event of an imported
/// capsule.
Napi::Value EnqueueWaitForProducer(const Napi::CallbackInfo& info) {
  WaitForEvent(*LiveStream(info[0]), EventOf(info[1]));
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

}  // namespace array_interface::cuda
