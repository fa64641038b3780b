#include "work/stream.hpp"

#include <memory>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/guarded.hpp"
#include "bindings/live_stream.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"

namespace array_interface::cuda {

std::shared_ptr<Stream> LiveStream(const Napi::Value& value) {
  auto stream = Handle<Stream>::Unwrap(value, "stream");
  if (!stream->destroyed()) return stream;
  Throw(value.Env(),
        {"ERR_DISPOSED", "stream",
         "expected a live stream, got one that was given back; create another", "", 0, ""});
}

namespace {

Napi::Value Describe(Napi::Env env, std::shared_ptr<Stream> stream) {
  auto made = Napi::Object::New(env);
  made["pointer"] = Napi::BigInt::New(env, reinterpret_cast<std::uint64_t>(stream->handle()));
  made["device"] = stream->context()->device();
  made["nonBlocking"] = (stream->Flags() & kStreamNonBlocking) != 0;
  made["priority"] = stream->Priority();
  made["isPrimary"] = stream->context()->is_primary();
  made["handle"] = Handle<Stream>::Wrap(env, std::move(stream));
  return made;
}

/// createStream(device, nonBlocking, priority): a stream of ours.
Napi::Value CreateStream(const Napi::CallbackInfo& info) {
  return Describe(info.Env(),
                  Stream::Create(static_cast<int>(ReadSize(info[0], "device")), info[1].ToBoolean(),
                                 static_cast<int>(ReadInteger(info[2], "priority"))));
}

/// borrowStream(pointer, device): somebody else's; `device` says whose default stream 1 and 2 are.
Napi::Value BorrowStream(const Napi::CallbackInfo& info) {
  const std::uint64_t pointer = ReadPointer(info[0], "stream");
  if (pointer == 0) {
    Throw(info.Env(), {"ERR_STREAM", "stream",
                       "expected 1, 2 or a stream's handle, got 0, which could mean either default "
                       "stream",
                       "", 0, ""});
  }
  return Describe(info.Env(),
                  Stream::Borrow(pointer, static_cast<int>(ReadSize(info[1], "device"))));
}

/// destroyStream(stream): its work is still done.
Napi::Value DestroyStream(const Napi::CallbackInfo& info) {
  Handle<Stream>::Unwrap(info[0], "stream")->Destroy();
  return info.Env().Undefined();
}

/// queryStream(stream): whether everything given to it so far has ended.
Napi::Value QueryStream(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), LiveStream(info[0])->Query());
}

/// isCapturing(stream): whether what is given to it now goes into a graph.
Napi::Value IsCapturing(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), LiveStream(info[0])->IsCapturing());
}

/// record(stream, timing): an event after everything given to it so far.
Napi::Value Record(const Napi::CallbackInfo& info) {
  const auto purpose = info[1].ToBoolean() ? Event::Purpose::kTiming : Event::Purpose::kOrder;
  return Handle<Event>::Wrap(info.Env(), LiveStream(info[0])->Record(purpose));
}

/// wait(stream, event): what is given to the stream from now on starts after the event.
Napi::Value Wait(const Napi::CallbackInfo& info) {
  LiveStream(info[0])->Wait(*Handle<Event>::Unwrap(info[1], "event"));
  return info.Env().Undefined();
}

/// reach(stream, device): whether kernels on the stream reach that device's memory.
Napi::Value Reach(const Napi::CallbackInfo& info) {
  const bool reaches =
      LiveStream(info[0])->context()->Reach(static_cast<int>(ReadSize(info[1], "device")));
  return Napi::Boolean::New(info.Env(), reaches);
}

}  // namespace

void ExportStream(Napi::Object exports) {
  Export<CreateStream>(exports, "createStream");
  Export<BorrowStream>(exports, "borrowStream");
  Export<DestroyStream>(exports, "destroyStream");
  Export<QueryStream>(exports, "queryStream");
  Export<IsCapturing>(exports, "isCapturing");
  Export<Record>(exports, "record");
  Export<Wait>(exports, "wait");
  Export<Reach>(exports, "reach");
}

}  // namespace array_interface::cuda
