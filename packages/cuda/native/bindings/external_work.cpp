#include "bindings.hpp"
#include "ipc/notify.hpp"
#include "memory/uses.hpp"
#include "work/held_stream.hpp"

namespace array_interface::cuda {

namespace {

/// beginExternalWork(stream, written, read): makes the stream wait for all earlier work on the
/// memories, before other code enqueues work on it.
Napi::Value BeginExternalWork(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[0]);
  ReadUses uses(info[1], info[2]);
  const ContextScope scope(*stream->context());  // so that nested scopes make no driver call
  BeginExternalWork(stream, uses.get());
  return info.Env().Undefined();
}

/// endExternalWork(stream, written, read): records that other code enqueued work on the memories on
/// the stream. Returns what ToldOf returns.
Napi::Value EndExternalWork(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[0]);
  ReadUses uses(info[1], info[2]);
  const ContextScope scope(*stream->context());  // so that nested scopes make no driver call
  return ToldOf(info.Env(), EndExternalWork(stream, uses.get()), uses.get());
}

/// within(stream, work): calls `work` with the stream's context current, and returns its result.
Napi::Value Within(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[0]);
  if (!info[1].IsFunction()) {
    Throw(info.Env(), {"ERR_TYPE", "enqueue", "expected a function, got another value", "", 0, ""});
  }
  const ContextForOthers current(*stream->context());
  return info[1].As<Napi::Function>().Call({});
}

}  // namespace

void BindExternalWork(Napi::Object exports) {
  AddExports(exports, {
                          {"beginExternalWork", kFunction<BeginExternalWork>},
                          {"endExternalWork", kFunction<EndExternalWork>},
                          {"within", kFunction<Within>},
                      });
}

}  // namespace array_interface::cuda
