#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "device/guarded.hpp"
#include "napi/addon.hpp"
#include "napi/handle.hpp"
#include "ordering/event.hpp"

namespace array_interface {

/// A wait for events. Once all are complete, reports the first failure. The others are left for
/// another wait to report, or for whatever reports failures that nobody waited for.
template <class Backend>
class EventWait {
 public:
  explicit EventWait(Events events) : events_(std::move(events)) {}

  PollResult Poll() {
    for (; complete_ < events_.size(); ++complete_) {
      if (!IsComplete(*events_[complete_])) return {};
    }
    Backend::NoteWait();
    return {true, failure_};
  }

 private:
  bool IsComplete(Event& event) {
    if (failure_) return event.Poll() != Progress::kPending;
    PollResult poll = Backend::Poll(static_cast<typename Backend::AwaitedEvent&>(event));
    failure_ = std::move(poll.failure);
    return poll.done;
  }

  Events events_;
  std::size_t complete_ = 0;  ///< events from the first that are not pending
  std::optional<Failure> failure_;
};

/// Returns a promise that settles once all events, which are the backend's, are complete. It
/// rejects with the first failure of the work before them. Does not block a thread.
template <class Backend>
Napi::Value WaitFor(Napi::Env env, Events events) {
  if (events.empty()) {
    auto deferred = Napi::Promise::Deferred::New(env);
    deferred.Resolve(env.Undefined());
    return deferred.Promise();
  }
  const void* queue = nullptr;
  if (events.size() == 1) {
    queue = static_cast<const typename Backend::AwaitedEvent&>(*events.front()).queue();
  }
  auto wait = std::make_shared<EventWait<Backend>>(std::move(events));
  return Addon::Of(env).settler().Wait(
      env, [wait = std::move(wait)] { return wait->Poll(); }, queue);
}

/// queryEvent(event): whether it is complete.
template <class Backend>
Napi::Value QueryEvent(const Napi::CallbackInfo& info) {
  const auto event = Handle<typename Backend::Event>::Unwrap(info[0], "event");
  return Napi::Boolean::New(info.Env(), event->Query());
}

/// waitEvent(event): a promise for its completion.
template <class Backend>
Napi::Value WaitEvent(const Napi::CallbackInfo& info) {
  return WaitFor<Backend>(info.Env(),
                          Events{Handle<typename Backend::Event>::Unwrap(info[0], "event")});
}

/// waitEventSync(event): blocks the calling thread until it is complete.
template <class Backend>
Napi::Value WaitEventSync(const Napi::CallbackInfo& info) {
  Handle<typename Backend::Event>::Unwrap(info[0], "event")->Synchronize();
  Backend::NoteWait();
  return info.Env().Undefined();
}

/// waitAll(): a promise for all work that was enqueued on this library's queues.
template <class Backend>
Napi::Value WaitAll(const Napi::CallbackInfo& info) {
  return WaitFor<Backend>(info.Env(), Backend::LastEvents(info.Env()));
}

template <class Backend>
void BindDeviceEvent(Napi::Object exports) {
  AddExports(exports, {
                          {"queryEvent", kDeviceFunction<Backend, QueryEvent<Backend>>},
                          {"waitEvent", kDeviceFunction<Backend, WaitEvent<Backend>>},
                          {"waitEventSync", kDeviceFunction<Backend, WaitEventSync<Backend>>},
                          {"waitAll", kDeviceFunction<Backend, WaitAll<Backend>>},
                      });
}

}  // namespace array_interface
