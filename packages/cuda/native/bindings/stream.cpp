#include "work/stream.hpp"

#include <memory>
#include <utility>

#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "work/held_stream.hpp"

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
          {"handle",
           Handle<HeldStream>::Wrap(env, std::make_shared<HeldStream>(std::move(stream)))},
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

/// endQueue(stream): releases JavaScript's reference. The stream still runs its work.
Napi::Value EndQueue(const Napi::CallbackInfo& info) {
  Handle<HeldStream>::Unwrap(info[0], "stream")->End();
  return info.Env().Undefined();
}

/// queryQueue(stream): whether all its work so far has ended.
Napi::Value QueryQueue(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), LiveStream(info[0])->Query());
}

/// isNonBlocking(stream): whether it does not synchronize with the legacy default stream.
Napi::Value IsNonBlocking(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), (LiveStream(info[0])->Flags() & kStreamNonBlocking) != 0);
}

/// priorityOf(stream): lower numbers run first.
Napi::Value PriorityOf(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), LiveStream(info[0])->Priority());
}

/// isCapturing(stream): whether work enqueued now is captured into a graph.
Napi::Value IsCapturing(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), LiveStream(info[0])->IsCapturing());
}

/// assertRuns(stream): throws ERR_CAPTURE if work enqueued now would be captured.
Napi::Value AssertRuns(const Napi::CallbackInfo& info) {
  LiveStream(info[0])->AssertRuns();
  return info.Env().Undefined();
}

/// record(stream, timing): an event after all its work so far.
Napi::Value Record(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[0]);
  const bool timing = info[1].ToBoolean();
  // An event in a graph does not represent the stream's work, and is not reused.
  auto event = timing || stream->IsCapturing() ? stream->MarkApart(timing) : stream->Mark();
  return Handle<CudaEvent>::Wrap(info.Env(), std::move(event));
}

/// enqueueWait(stream, event): makes work enqueued on the stream from now on start after the event.
Napi::Value EnqueueWait(const Napi::CallbackInfo& info) {
  LiveStream(info[0])->Wait(*Handle<CudaEvent>::Unwrap(info[1], "event"));
  return info.Env().Undefined();
}

}  // namespace

void BindStream(Napi::Object exports) {
  AddExports(exports, {
                          {"createQueue", kFunction<CreateQueue>},
                          {"adoptQueue", kFunction<AdoptQueue>},
                          {"endQueue", kFunction<EndQueue>},
                          {"queryQueue", kFunction<QueryQueue>},
                          {"isNonBlocking", kFunction<IsNonBlocking>},
                          {"priorityOf", kFunction<PriorityOf>},
                          {"isCapturing", kFunction<IsCapturing>},
                          {"assertRuns", kFunction<AssertRuns>},
                          {"record", kFunction<Record>},
                          {"enqueueWait", kFunction<EnqueueWait>},
                      });
}

}  // namespace array_interface::cuda
