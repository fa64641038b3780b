#include <vector>

#include "bind.hpp"
#include "describe_place.hpp"
#include "napi/addon.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "queue.hpp"
#include "runtime.hpp"
#include "sycl_addon.hpp"

namespace array_interface::sycl {

namespace {

std::shared_ptr<Queue> ReadQueue(const Napi::Value& value) {
  return Handle<Queue>::Unwrap(value, "queue");
}

std::shared_ptr<Event> ReadEvent(const Napi::Value& value) {
  return Handle<Event>::Unwrap(value, "event");
}

/// {queue, place, inOrder}, or null.
Napi::Value Describe(Napi::Env env, std::shared_ptr<Queue> queue) {
  if (queue == nullptr) return env.Null();
  auto described = Napi::Object::New(env);
  described["place"] = DescribePlace(env, queue->place());
  described["inOrder"] = queue->in_order();
  described["queue"] = Handle<Queue>::Wrap(env, std::move(queue));
  return described;
}

/// createQueue(place, inOrder, profiling): a new queue.
Napi::Value CreateQueue(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  auto place = Handle<Place>::Unwrap(info[0], "context");
  const int properties =
      (info[1].ToBoolean() ? kInOrder : 0) | (info[2].ToBoolean() ? kProfiling : 0);
  return Describe(info.Env(), Queue::Make(runtime, std::move(place), properties));
}

/// adoptQueue(reference): ours, with one more user, or a copy of another's live queue, or null.
Napi::Value AdoptQueue(const Napi::CallbackInfo& info) {
  void* reference = reinterpret_cast<void*>(ReadPointer(info[0], "syclobj"));
  return Describe(info.Env(), Runtime::Get().AdoptQueue(reference));
}

/// adoptContext(reference, pointer): a new queue in another's live context, on the device that a
/// pointer belongs to there, or null.
Napi::Value AdoptContext(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  void* reference = reinterpret_cast<void*>(ReadPointer(info[0], "syclobj"));
  void* pointer = reinterpret_cast<void*>(ReadPointer(info[1], "pointer"));
  return Describe(info.Env(), runtime.AdoptContext(reference, pointer));
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

/// enqueue(queue, plan, intoSystem, outOfSystem): the copy of a plan; the flags say which sides are
/// memory of the system, not of the queue's context.
Napi::Value Enqueue(const Napi::CallbackInfo& info) {
  const SystemSides system{info[2].ToBoolean(), info[3].ToBoolean()};
  const auto queue = ReadQueue(info[0]);
  if (system.destination || system.source) {
    SyclAddon::Of(info.Env()).guest_work().Expect(queue->entry());
  }
  queue->Copy(ReadPlan(info[1]), system);
  return info.Env().Undefined();
}

/// eventQuery(event): whether it is reached.
Napi::Value EventQuery(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), ReadEvent(info[0])->Query());
}

/// eventStatus(event): the runtime's number.
Napi::Value GetStatus(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(ReadEvent(info[0])->Status()));
}

/// eventTimes(event): [submitted, started, ended], bigints in nanoseconds.
Napi::Value GetTimes(const Napi::CallbackInfo& info) {
  const EventTimes times = ReadEvent(info[0])->Times();
  auto list = Napi::Array::New(info.Env());
  for (const std::uint64_t time : {times.submitted, times.started, times.ended}) {
    list[list.Length()] = Napi::BigInt::New(info.Env(), time);
  }
  return list;
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
  Export<AdoptQueue>(exports, "adoptQueue");
  Export<AdoptContext>(exports, "adoptContext");
  Export<EndQueue>(exports, "endQueue");
  Export<GetReference>(exports, "queueReference");
  Export<SameQueue>(exports, "sameQueue");
  Export<Record>(exports, "record");
  Export<QueueQuery>(exports, "queueQuery");
  Export<QueueWait>(exports, "queueWait");
  Export<Enqueue>(exports, "enqueue");
  Export<EventQuery>(exports, "eventQuery");
  Export<GetStatus>(exports, "eventStatus");
  Export<GetTimes>(exports, "eventTimes");
  Export<EventWait>(exports, "eventWait");
  Export<EventWaitSync>(exports, "eventWaitSync");
  Export<Synchronize>(exports, "synchronize");
}

}  // namespace array_interface::sycl
