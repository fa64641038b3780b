#pragma once

#include <memory>
#include <vector>

#include "napi/addon.hpp"
#include "work/sycl_event.hpp"

namespace array_interface::sycl {

/// Returns a promise that settles once all events are complete, and rejects if the work before one
/// of them failed.
inline Napi::Value WaitForAll(Napi::Env env, std::vector<std::shared_ptr<SyclEvent>> events) {
  const void* const queue = events.size() == 1 ? events.front()->queue() : nullptr;
  const auto look = [events = std::move(events)]() {
    for (const auto& event : events) {
      PollResult poll = event->Look();
      if (!poll.done || poll.failure) return poll;
    }
    return PollResult{true, std::nullopt};
  };
  return Addon::Of(env).settler().Wait(env, look, queue);
}

}  // namespace array_interface::sycl
