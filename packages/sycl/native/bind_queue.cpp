#include <vector>

#include "bind.hpp"
#include "napi/addon.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "queue.hpp"
#include "runtime.hpp"

namespace array_interface::sycl {

namespace {

std::shared_ptr<Queue> ReadQueue(const Napi::Value& value) {
  return Handle<Queue>::Unwrap(value, "queue");
}

std::shared_ptr<Event> ReadEvent(const Napi::Value& value) {
  return Handle<Event>::Unwrap(value, "event");
}

/// createQueue(device, inOrder): a handle.
Napi::Value CreateQueue(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  Device& device = runtime.device(ReadSize(info[0], "device"));
  auto queue = Queue::Make(runtime, device, info[1].ToBoolean());
  return Handle<Queue>::Wrap(info.Env(), std::move(queue));
}

/// findQueue(reference): {handle, device} of one of our queues, with one more user, or null.
Napi::Value FindQueue(const Napi::CallbackInfo& info) {
  void* reference = reinterpret_cast<void*>(ReadPointer(info[0], "syclobj"));
  auto queue = Runtime::Get().queues().Find(reference);
  if (queue == nullptr) return info.Env().Null();
  auto found = Napi::Object::New(info.Env());
  found["device"] = static_cast<double>(queue->device().index);
  found["handle"] = Handle<Queue>::Wrap(info.Env(), std::move(queue));
  return found;
}

/// endQueue(queue): ends one use; the native queue ends with the last, after its work.
Napi::Value EndQueue(const Napi::CallbackInfo& info) {
  ReadQueue(info[0])->EndUse();
  return info.Env().Undefined();
}

/// queueReference(queue): address of the native reference, valid while the queue is; whoever has
/// it may enqueue there.
Napi::Value GetReference(const Napi::CallbackInfo& info) {
  const auto reference = reinterpret_cast<std::uintptr_t>(ReadQueue(info[0])->HandOut());
  return Napi::BigInt::New(info.Env(), static_cast<std::uint64_t>(reference));
}

/// sameQueue(one, other)
Napi::Value SameQueue(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), ReadQueue(info[0])->IsSame(*ReadQueue(info[1])));
}

/// record(queue): an event.
Napi::Value Record(const Napi::CallbackInfo& info) {
  return Handle<Event>::Wrap(info.Env(), ReadQueue(info[0])->Record());
}

/// queueQuery(queue): whether all that was enqueued has ended.
Napi::Value QueueQuery(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), ReadQueue(info[0])->Query());
}

/// queueWait(queue, event): later work of the queue starts after the event.
Napi::Value QueueWait(const Napi::CallbackInfo& info) {
  ReadQueue(info[0])->Wait(*ReadEvent(info[1]));
  return info.Env().Undefined();
}

/// enqueue(queue, plan): the copy of a plan.
Napi::Value Enqueue(const Napi::CallbackInfo& info) {
  ReadQueue(info[0])->Copy(ReadPlan(info[1]));
  return info.Env().Undefined();
}

/// eventQuery(event): whether it is reached.
Napi::Value EventQuery(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), ReadEvent(info[0])->Query());
}

/// eventWait(event): a promise; no thread of Node's is held.
Napi::Value EventWait(const Napi::CallbackInfo& info) {
  auto event = ReadEvent(info[0]);
  return Addon::Of(info.Env()).waiter().Wait(info.Env(), [event] { return event->Look(); });
}

/// eventWaitSync(event): blocks.
Napi::Value EventWaitSync(const Napi::CallbackInfo& info) {
  ReadEvent(info[0])->Wait();
  return info.Env().Undefined();
}

/// synchronize(): a promise for the end of all work on all our queues of the process.
Napi::Value Synchronize(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  std::vector<std::shared_ptr<Event>> events;
  for (const auto& queue : runtime.queues().All()) {
    events.push_back(RecordEvent(runtime.dpctl(), queue->get()));
  }
  const auto look = [events]() {
    for (const auto& event : events) {
      Poll poll = event->Look();
      if (!poll.done || poll.failure) return poll;
    }
    return Poll{true, std::nullopt};
  };
  return Addon::Of(info.Env()).waiter().Wait(info.Env(), look);
}

}  // namespace

void BindQueue(Napi::Object exports) {
  Export<CreateQueue>(exports, "createQueue");
  Export<FindQueue>(exports, "findQueue");
  Export<EndQueue>(exports, "endQueue");
  Export<GetReference>(exports, "queueReference");
  Export<SameQueue>(exports, "sameQueue");
  Export<Record>(exports, "record");
  Export<QueueQuery>(exports, "queueQuery");
  Export<QueueWait>(exports, "queueWait");
  Export<Enqueue>(exports, "enqueue");
  Export<EventQuery>(exports, "eventQuery");
  Export<EventWait>(exports, "eventWait");
  Export<EventWaitSync>(exports, "eventWaitSync");
  Export<Synchronize>(exports, "synchronize");
}

}  // namespace array_interface::sycl
