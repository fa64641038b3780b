#include "work/sycl_event.hpp"

#include "bindings/bindings.hpp"

namespace array_interface::sycl {

namespace {

std::shared_ptr<SyclEvent> ReadEvent(const Napi::CallbackInfo& info) {
  return Handle<SyclEvent>::Unwrap(info[0], "event");
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

}  // namespace

void BindEvent(Napi::Object exports) {
  AddExports(exports, {
                          {"eventStatus", kFunction<GetStatus>},
                          {"eventTimes", kFunction<GetTimes>},
                      });
}

}  // namespace array_interface::sycl
