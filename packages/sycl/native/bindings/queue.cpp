#include <cstdint>
#include <memory>
#include <vector>

#include "bind.hpp"
#include "describe.hpp"
#include "memory/check_copy.hpp"
#include "memory/sycl_memory.hpp"
#include "memory/work.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "sycl_addon.hpp"
#include "wait_for_all.hpp"
#include "work/queue_use.hpp"
#include "work/runtime.hpp"

namespace array_interface::sycl {

namespace {

std::shared_ptr<Queue> ReadQueue(const Napi::Value& value) {
  return Handle<QueueUse>::Unwrap(value, "queue")->queue();
}

/// {handle, contextDevice, inOrder}, or null.
Napi::Value Describe(Napi::Env env, std::shared_ptr<Queue> queue) {
  if (queue == nullptr) return env.Null();
  return MakeObject(
      env,
      {
          {"contextDevice", DescribeContextDevice(env, queue->context_device())},
          {"inOrder", queue->in_order()},
          {"handle", Handle<QueueUse>::Wrap(env, std::make_shared<QueueUse>(std::move(queue)))},
      });
}

/// createQueue(contextDevice, inOrder, profiling): creates a queue.
Napi::Value CreateQueue(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  auto context_device = Handle<ContextDevice>::Unwrap(info[0], "context");
  const int properties =
      (info[1].ToBoolean() ? kInOrder : 0) | (info[2].ToBoolean() ? kProfiling : 0);
  return Describe(info.Env(), Queue::Make(runtime, std::move(context_device), properties));
}

/// adoptQueue(reference): returns this library's queue with one more use, a copy of another
/// library's live queue, or null.
Napi::Value AdoptQueue(const Napi::CallbackInfo& info) {
  void* reference = reinterpret_cast<void*>(ReadPointer(info[0], "syclobj"));
  return Describe(info.Env(), Runtime::Get().AdoptQueue(reference));
}

/// adoptContext(reference, pointer): creates a queue in another library's live context, on the
/// device that the pointer belongs to there. Null if there is no such context.
Napi::Value AdoptContext(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  void* reference = reinterpret_cast<void*>(ReadPointer(info[0], "syclobj"));
  void* pointer = reinterpret_cast<void*>(ReadPointer(info[1], "pointer"));
  return Describe(info.Env(), runtime.AdoptContext(reference, pointer));
}

/// endQueue(queue): ends one use. After the last, the native queue is released once its work has
/// ended.
Napi::Value EndQueue(const Napi::CallbackInfo& info) {
  Handle<QueueUse>::Unwrap(info[0], "queue")->End();
  return info.Env().Undefined();
}

/// queueReference(queue): returns the address of the native reference, valid as long as the queue.
/// From then on other code may enqueue work there.
Napi::Value GetReference(const Napi::CallbackInfo& info) {
  const auto reference = reinterpret_cast<std::uintptr_t>(ReadQueue(info[0])->HandOut());
  return Napi::BigInt::New(info.Env(), static_cast<std::uint64_t>(reference));
}

/// sameQueue(one, other): returns whether both have one native queue.
Napi::Value SameQueue(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), ReadQueue(info[0])->IsSame(*ReadQueue(info[1])));
}

/// record(queue): returns an event.
Napi::Value Record(const Napi::CallbackInfo& info) {
  return Handle<SyclEvent>::Wrap(info.Env(), ReadQueue(info[0])->RecordEvent());
}

/// queryQueue(queue): returns whether all work that was enqueued has ended.
Napi::Value QueryQueue(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), ReadQueue(info[0])->Query());
}

/// enqueueWait(queue, event): makes later work of the queue start after the event.
Napi::Value EnqueueWait(const Napi::CallbackInfo& info) {
  ReadQueue(info[0])->Wait(*Handle<SyclEvent>::Unwrap(info[1], "event"));
  return info.Env().Undefined();
}

/// Enqueues a copy, ordered with all other work on both memories.
void Enqueue(Napi::Env env, const std::shared_ptr<Queue>& queue, const StridedCopy& copy,
             const std::shared_ptr<SyclMemory>& target, const std::shared_ptr<SyclMemory>& origin) {
  CheckCopy(*queue->context_device(), copy, *target, *origin);
  Kernels::Chosen kernels;
  if (!IsOneRun(copy))
    kernels = queue->context_device()->kernels().Choose(queue->context_device(), copy);
  const bool is_import = target->is_system() || origin->is_system();
  ImportedWork& imported = SyclAddon::Of(env).imported_work();
  if (is_import) imported.Expect();
  const Enqueued work =
      Work(queue, target->ref(), origin->ref(), [&] { queue->Copy(copy, kernels); });
  if (is_import) imported.Note(std::static_pointer_cast<SyclEvent>(work.event));
}

/// copy(queue, plan, target, origin): enqueues the copy of a plan.
Napi::Value Copy(const Napi::CallbackInfo& info) {
  Enqueue(info.Env(), ReadQueue(info[0]), ReadPlan(info[1]),
          Handle<SyclMemory>::Unwrap(info[2], "destination"),
          Handle<SyclMemory>::Unwrap(info[3], "source"));
  return info.Env().Undefined();
}

/// copyRun(queue, destination, source, byteLength, target, origin): enqueues a copy of contiguous
/// bytes. Reading a plan would take longer than copying a few bytes.
Napi::Value CopyRun(const Napi::CallbackInfo& info) {
  StridedCopy run;
  run.destination = reinterpret_cast<void*>(ReadPointer(info[1], "destination"));
  run.source = reinterpret_cast<const void*>(ReadPointer(info[2], "source"));
  run.lengths = {static_cast<std::int64_t>(ReadSize(info[3], "byteLength"))};
  run.destination_strides = {1};
  run.source_strides = {1};
  Enqueue(info.Env(), ReadQueue(info[0]), run, Handle<SyclMemory>::Unwrap(info[4], "destination"),
          Handle<SyclMemory>::Unwrap(info[5], "source"));
  return info.Env().Undefined();
}

/// waitAll(): returns a promise that settles once all work on all of this library's queues in
/// the process has ended.
Napi::Value WaitAll(const Napi::CallbackInfo& info) {
  std::vector<std::shared_ptr<SyclEvent>> events;
  for (const auto& queue : Runtime::Get().queues().All()) events.push_back(queue->RecordEvent());
  return WaitForAll(info.Env(), std::move(events));
}

}  // namespace

void BindQueue(Napi::Object exports) {
  AddExports(exports, {
                          {"createQueue", kFunction<CreateQueue>},
                          {"adoptQueue", kFunction<AdoptQueue>},
                          {"adoptContext", kFunction<AdoptContext>},
                          {"endQueue", kFunction<EndQueue>},
                          {"queueReference", kFunction<GetReference>},
                          {"sameQueue", kFunction<SameQueue>},
                          {"record", kFunction<Record>},
                          {"queryQueue", kFunction<QueryQueue>},
                          {"enqueueWait", kFunction<EnqueueWait>},
                          {"copy", kFunction<Copy>},
                          {"copyRun", kFunction<CopyRun>},
                          {"waitAll", kFunction<WaitAll>},
                      });
}

}  // namespace array_interface::sycl
