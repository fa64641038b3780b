#pragma once

#include <memory>
#include <string>
#include <utility>

#include "device/guarded.hpp"
#include "napi/handle.hpp"

namespace array_interface {

/// A use of a queue: JavaScript's, or a capsule's. While it lasts, the queue may be named to
/// consumers.
template <class Queue>
class QueueUse {
 public:
  static constexpr napi_type_tag kTag = Queue::kTag;

  /// Takes over a use that the queue has counted. Null for no use.
  explicit QueueUse(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}
  QueueUse(const QueueUse&) = delete;
  QueueUse& operator=(const QueueUse&) = delete;
  ~QueueUse() { End(); }

  /// Null once it has ended.
  const std::shared_ptr<Queue>& queue() const { return queue_; }

  /// Ends the use, once. The queue still runs its work.
  void End() noexcept {
    const auto queue = std::exchange(queue_, nullptr);
    if (queue != nullptr) queue->EndUse();
  }

 private:
  std::shared_ptr<Queue> queue_;
};

/// Returns the queue of a handle. Throws ERR_TYPE, or ERR_DISPOSED once its use has ended.
/// `Queue::kNoun` is what the backend calls a queue.
template <class Queue>
std::shared_ptr<Queue> LiveQueue(const Napi::Value& value) {
  auto queue = Handle<QueueUse<Queue>>::Unwrap(value, Queue::kNoun)->queue();
  if (queue != nullptr) return queue;
  const std::string noun = Queue::kNoun;
  Throw(value.Env(),
        {"ERR_DISPOSED", noun,
         "expected a live " + noun + ", got one that was disposed; create another", "", 0, ""});
}

/// endQueue(queue): ends the use. After the last, the native queue is released once its work has
/// ended.
template <class Backend>
Napi::Value EndQueue(const Napi::CallbackInfo& info) {
  using Queue = typename Backend::Queue;
  Handle<QueueUse<Queue>>::Unwrap(info[0], Queue::kNoun)->End();
  return info.Env().Undefined();
}

/// queryQueue(queue): whether all its work so far has ended.
template <class Backend>
Napi::Value QueryQueue(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), LiveQueue<typename Backend::Queue>(info[0])->Query());
}

/// enqueueWait(queue, event): makes work enqueued on the queue from now on start after the event.
template <class Backend>
Napi::Value EnqueueWait(const Napi::CallbackInfo& info) {
  LiveQueue<typename Backend::Queue>(info[0])->Wait(
      *Handle<typename Backend::Event>::Unwrap(info[1], "event"));
  return info.Env().Undefined();
}

/// record(queue, timing): an event after all its work so far. `timing`: whether it needs a time,
/// which only CUDA's events can do without.
template <class Backend>
Napi::Value Record(const Napi::CallbackInfo& info) {
  const auto queue = LiveQueue<typename Backend::Queue>(info[0]);
  return Handle<typename Backend::Event>::Wrap(info.Env(),
                                               Backend::Record(*queue, info[1].ToBoolean()));
}

template <class Backend>
void BindDeviceQueue(Napi::Object exports) {
  AddExports(exports, {
                          {"endQueue", kDeviceFunction<Backend, EndQueue<Backend>>},
                          {"queryQueue", kDeviceFunction<Backend, QueryQueue<Backend>>},
                          {"enqueueWait", kDeviceFunction<Backend, EnqueueWait<Backend>>},
                          {"record", kDeviceFunction<Backend, Record<Backend>>},
                      });
}

}  // namespace array_interface
