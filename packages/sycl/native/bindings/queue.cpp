#include <cstdint>
#include <memory>

#include "bindings/bindings.hpp"
#include "bindings/describe.hpp"
#include "work/runtime.hpp"

namespace array_interface::sycl {

namespace {

/// {handle, contextDevice, inOrder}, or null.
Napi::Value Describe(Napi::Env env, std::shared_ptr<Queue> queue) {
  if (queue == nullptr) return env.Null();
  return MakeObject(env,
                    {
                        {"contextDevice", DescribeContextDevice(env, queue->context_device())},
                        {"inOrder", queue->in_order()},
                        {"handle", Handle<QueueUse<Queue>>::Wrap(
                                       env, std::make_shared<QueueUse<Queue>>(std::move(queue)))},
                    });
}

/// createQueue(contextDevice, inOrder, profiling): creates a queue.
Napi::Value CreateQueue(const Napi::CallbackInfo& info) {
  Runtime& runtime = Runtime::Get();
  auto context_device = SyclBackend::ReadDevice(info[0]);
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

/// queueReference(queue): returns the address of the native reference, valid as long as the queue.
/// From then on other code may enqueue work there.
Napi::Value GetReference(const Napi::CallbackInfo& info) {
  const auto reference = reinterpret_cast<std::uintptr_t>(LiveQueue<Queue>(info[0])->HandOut());
  return Napi::BigInt::New(info.Env(), static_cast<std::uint64_t>(reference));
}

/// sameQueue(one, other): returns whether both have one native queue.
Napi::Value SameQueue(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(),
                            LiveQueue<Queue>(info[0])->IsSame(*LiveQueue<Queue>(info[1])));
}

}  // namespace

void BindQueue(Napi::Object exports) {
  AddExports(exports, {
                          {"createQueue", kFunction<CreateQueue>},
                          {"adoptQueue", kFunction<AdoptQueue>},
                          {"adoptContext", kFunction<AdoptContext>},
                          {"queueReference", kFunction<GetReference>},
                          {"sameQueue", kFunction<SameQueue>},
                      });
}

}  // namespace array_interface::sycl
