#include "work/cuda_event.hpp"

#include <memory>
#include <vector>

#include "addon.hpp"
#include "bindings.hpp"
#include "napi/handle.hpp"
#include "work/wait.hpp"

namespace array_interface::cuda {

namespace {

/// queryEvent(event): whether it is complete.
Napi::Value QueryEvent(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), Handle<CudaEvent>::Unwrap(info[0], "event")->Query());
}

/// waitEvent(event): a promise for its completion. The promise settler's thread polls the event.
Napi::Value WaitEvent(const Napi::CallbackInfo& info) {
  return WaitFor(info.Env(), Events{Handle<CudaEvent>::Unwrap(info[0], "event")});
}

/// waitEventSync(event): blocks until it is complete.
Napi::Value WaitEventSync(const Napi::CallbackInfo& info) {
  Handle<CudaEvent>::Unwrap(info[0], "event")->Synchronize();
  ProcessAllocator().PollSoon();
  return info.Env().Undefined();
}

/// elapsed(start, end): milliseconds between two events that were recorded with timing.
Napi::Value Elapsed(const Napi::CallbackInfo& info) {
  const auto start = Handle<CudaEvent>::Unwrap(info[0], "start");
  return Napi::Number::New(info.Env(), Handle<CudaEvent>::Unwrap(info[1], "event")->Since(*start));
}

/// waitAll(): a promise for all work that this environment enqueued on streams.
Napi::Value WaitAll(const Napi::CallbackInfo& info) {
  return WaitFor(info.Env(), CudaAddon::Of(info.Env()).last_events().Last());
}

}  // namespace

void BindEvent(Napi::Object exports) {
  AddExports(exports, {
                          {"queryEvent", kFunction<QueryEvent>},
                          {"waitEvent", kFunction<WaitEvent>},
                          {"waitEventSync", kFunction<WaitEventSync>},
                          {"elapsed", kFunction<Elapsed>},
                          {"waitAll", kFunction<WaitAll>},
                      });
}

}  // namespace array_interface::cuda
