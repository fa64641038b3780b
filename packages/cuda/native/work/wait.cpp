#include "work/wait.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "driver/failure.hpp"
#include "memory/process_memory.hpp"
#include "napi/addon.hpp"

namespace array_interface::cuda {

namespace {

struct Wait {
  std::vector<std::shared_ptr<WaitableEvent>> events;
  std::optional<Failure> failure;

  bool IsComplete(WaitableEvent& event) {
    try {
      return event.Query();
    } catch (const DriverError& error) {
      if (!failure) failure = ToFailure(error);
      return true;
    }
  }

  PollResult Look() {
    const auto is_complete = [this](const auto& event) { return IsComplete(*event); };
    events.erase(std::remove_if(events.begin(), events.end(), is_complete), events.end());
    if (!events.empty()) return {};
    // That may have been the last work on memory that is being freed.
    ProcessAllocator().PollSoon();
    return {true, failure};
  }
};

}  // namespace

Napi::Value WaitFor(Napi::Env env, std::vector<std::shared_ptr<WaitableEvent>> events) {
  if (events.empty()) {
    auto deferred = Napi::Promise::Deferred::New(env);
    deferred.Resolve(env.Undefined());
    return deferred.Promise();
  }
  const void* const queue = events.size() == 1 ? events.front()->queue() : nullptr;
  auto wait = std::make_shared<Wait>();
  wait->events = std::move(events);
  return Addon::Of(env).settler().Wait(
      env, [wait] { return wait->Look(); }, queue);
}

Napi::Value WaitFor(Napi::Env env, const Events& events) {
  std::vector<std::shared_ptr<WaitableEvent>> ours;
  for (const auto& event : events) ours.push_back(std::static_pointer_cast<WaitableEvent>(event));
  return WaitFor(env, std::move(ours));
}

}  // namespace array_interface::cuda
