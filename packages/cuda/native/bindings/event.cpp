#include "work/event.hpp"

#include <memory>

#include "bindings/bindings.hpp"
#include "bindings/cuda_addon.hpp"
#include "bindings/guarded.hpp"
#include "bindings/live_stream.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

namespace {

/// What was waited for may be the last work on memory in the bin.
Poll Look(const Event& event, Bin& bin) {
  try {
    const bool is_reached = event.Query();
    if (is_reached) bin.Look();
    return {is_reached, std::nullopt};
  } catch (const DriverError& error) {
    return {true, ToFailure(error)};
  }
}

/// queryEvent(event): whether it is reached.
Napi::Value QueryEvent(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), Handle<Event>::Unwrap(info[0], "event")->Query());
}

/// waitEvent(event): a promise; the waiter's thread looks at the event.
Napi::Value WaitEvent(const Napi::CallbackInfo& info) {
  const auto event = Handle<Event>::Unwrap(info[0], "event");
  auto& addon = CudaAddon::Of(info.Env());
  return addon.waiter().Wait(info.Env(), [event, bin = addon.bin()] { return Look(*event, *bin); });
}

/// synchronizeEvent(event): blocks until it is reached.
Napi::Value SynchronizeEvent(const Napi::CallbackInfo& info) {
  Handle<Event>::Unwrap(info[0], "event")->Synchronize();
  CudaAddon::Of(info.Env()).bin()->Look();
  return info.Env().Undefined();
}

/// elapsed(start, end): milliseconds between two points that were made for timing.
Napi::Value Elapsed(const Napi::CallbackInfo& info) {
  const auto start = Handle<Event>::Unwrap(info[0], "start");
  return Napi::Number::New(info.Env(), Handle<Event>::Unwrap(info[1], "event")->Since(*start));
}

/// moveEvent(event, stream): the point is now after everything given to the stream so far.
Napi::Value MoveEvent(const Napi::CallbackInfo& info) {
  Handle<Event>::Unwrap(info[0], "event")->Move(LiveStream(info[1])->handle());
  return info.Env().Undefined();
}

}  // namespace

void ExportEvent(Napi::Object exports) {
  Export<QueryEvent>(exports, "queryEvent");
  Export<WaitEvent>(exports, "waitEvent");
  Export<SynchronizeEvent>(exports, "synchronizeEvent");
  Export<Elapsed>(exports, "elapsed");
  Export<MoveEvent>(exports, "moveEvent");
}

}  // namespace array_interface::cuda
