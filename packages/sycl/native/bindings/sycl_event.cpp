#include "work/sycl_event.hpp"

#include "bind.hpp"
#include "napi/addon.hpp"
#include "napi/handle.hpp"

namespace array_interface::sycl {

namespace {

std::shared_ptr<SyclEvent> ReadEvent(const Napi::CallbackInfo& info) {
  return Handle<SyclEvent>::Unwrap(info[0], "event");
}

/// queryEvent(event): returns whether the event is complete.
Napi::Value QueryEvent(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), ReadEvent(info)->Query());
}

/// eventStatus(event): returns the runtime's status number.
Napi::Value GetStatus(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(ReadEvent(info)->Status()));
}

/// eventTimes(event): returns [submitted, started, ended], bigints in nanoseconds.
Napi::Value GetTimes(const Napi::CallbackInfo& info) {
  const EventTimes times = ReadEvent(info)->Times();
  auto list = Napi::Array::New(info.Env());
  for (const std::uint64_t time : {times.submitted, times.started, times.ended}) {
    list[list.Length()] = Napi::BigInt::New(info.Env(), time);
  }
  return list;
}

/// waitEvent(event): returns a promise. Does not block a thread of Node.
Napi::Value WaitEvent(const Napi::CallbackInfo& info) {
  const auto event = ReadEvent(info);
  const auto look = [event] { return event->Look(); };
  return Addon::Of(info.Env()).settler().Wait(info.Env(), look, event->queue());
}

/// waitEventSync(event): blocks the calling thread until the event is complete.
Napi::Value WaitEventSync(const Napi::CallbackInfo& info) {
  ReadEvent(info)->Wait();
  return info.Env().Undefined();
}

}  // namespace

void BindEvent(Napi::Object exports) {
  AddExports(exports, {
                          {"queryEvent", kFunction<QueryEvent>},
                          {"eventStatus", kFunction<GetStatus>},
                          {"eventTimes", kFunction<GetTimes>},
                          {"waitEvent", kFunction<WaitEvent>},
                          {"waitEventSync", kFunction<WaitEventSync>},
                      });
}

}  // namespace array_interface::sycl
