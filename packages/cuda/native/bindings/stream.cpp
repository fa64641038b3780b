#include "work/stream.hpp"

#include <memory>
#include <utility>

#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

namespace {

Napi::Value Describe(Napi::Env env, std::shared_ptr<Stream> stream) {
  if (stream->context()->is_primary()) stream->context()->kernels().Prepare();
  CudaAddon::Of(env).last_events().Add(stream->last_event());
  return MakeObject(
      env,
      {
          {"pointer", Napi::BigInt::New(env, reinterpret_cast<std::uint64_t>(stream->handle()))},
          {"device", stream->context()->device()},
          {"isPrimary", stream->context()->is_primary()},
          {"isKept", stream->is_kept()},
          {"handle", Handle<QueueUse<Stream>>::Wrap(
                         env, std::make_shared<QueueUse<Stream>>(Stream::Use(std::move(stream))))},
      });
}

/// createQueue(device, nonBlocking, priority): a new stream.
Napi::Value CreateQueue(const Napi::CallbackInfo& info) {
  return Describe(info.Env(),
                  Stream::Create(static_cast<int>(ReadSize(info[0], "device")), info[1].ToBoolean(),
                                 static_cast<int>(ReadInteger(info[2], "priority"))));
}

/// adoptQueue(pointer, device): the stream of a handle. If this library created the stream, the
/// result keeps it alive. `device` selects whose default stream 1 and 2 are.
Napi::Value AdoptQueue(const Napi::CallbackInfo& info) {
  const std::uint64_t pointer = ReadPointer(info[0], "stream");
  if (pointer == 0) {
    Throw(info.Env(), {"ERR_STREAM", "stream",
                       "expected 1, 2 or a stream's handle, got 0, which could mean either default "
                       "stream",
                       "", 0, ""});
  }
  return Describe(info.Env(),
                  Stream::Named(pointer, static_cast<int>(ReadSize(info[1], "device"))));
}

/// isNonBlocking(stream): whether it does not synchronize with the legacy default stream.
Napi::Value IsNonBlocking(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(),
                            (LiveQueue<Stream>(info[0])->Flags() & kStreamNonBlocking) != 0);
}

/// priorityOf(stream): lower numbers run first.
Napi::Value PriorityOf(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), LiveQueue<Stream>(info[0])->Priority());
}

/// isCapturing(stream): whether work enqueued now is captured into a graph.
Napi::Value IsCapturing(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), LiveQueue<Stream>(info[0])->IsCapturing());
}

/// assertRuns(stream): throws ERR_CAPTURE if work enqueued now would be captured.
Napi::Value AssertRuns(const Napi::CallbackInfo& info) {
  LiveQueue<Stream>(info[0])->AssertRuns();
  return info.Env().Undefined();
}

/// reaches(stream, memory): whether kernels on the stream can access device memory. Enables peer
/// access if possible.
Napi::Value Reaches(const Napi::CallbackInfo& info) {
  const auto stream = LiveQueue<Stream>(info[0]);
  const auto memory = LiveMemory<CudaMemory>(info[1], "memory");
  return Napi::Boolean::New(info.Env(), memory->IsReachedFrom(*stream->context()));
}

/// elapsed(start, end): milliseconds between two events that were recorded with timing.
Napi::Value Elapsed(const Napi::CallbackInfo& info) {
  const auto start = Handle<CudaEvent>::Unwrap(info[0], "start");
  return Napi::Number::New(info.Env(), Handle<CudaEvent>::Unwrap(info[1], "event")->Since(*start));
}

/// within(stream, work): calls `work` with the stream's context current, and returns its result.
Napi::Value Within(const Napi::CallbackInfo& info) {
  const auto stream = LiveQueue<Stream>(info[0]);
  if (!info[1].IsFunction()) {
    Throw(info.Env(), {"ERR_TYPE", "enqueue", "expected a function, got another value", "", 0, ""});
  }
  const ContextForExternalWork current(*stream->context());
  return info[1].As<Napi::Function>().Call({});
}

}  // namespace

void BindStream(Napi::Object exports) {
  AddExports(exports, {
                          {"createQueue", kFunction<CreateQueue>},
                          {"adoptQueue", kFunction<AdoptQueue>},
                          {"isNonBlocking", kFunction<IsNonBlocking>},
                          {"priorityOf", kFunction<PriorityOf>},
                          {"isCapturing", kFunction<IsCapturing>},
                          {"assertRuns", kFunction<AssertRuns>},
                          {"reaches", kFunction<Reaches>},
                          {"elapsed", kFunction<Elapsed>},
                          {"within", kFunction<Within>},
                      });
}

}  // namespace array_interface::cuda
