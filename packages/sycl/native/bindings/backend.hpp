#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "capsule/abi.hpp"
#include "device/work.hpp"
#include "driver/kernel_builder.hpp"
#include "memory/sycl_memory.hpp"
#include "memory/usm_allocation.hpp"
#include "napi/object_refs.hpp"
#include "napi/promise_settler.hpp"
#include "threads/exit_gate.hpp"
#include "work/loaded_kernel.hpp"
#include "work/queue.hpp"
#include "work/sycl_event.hpp"

namespace array_interface::sycl {

/// What SYCL does in its own way. device/bindings.hpp says what each function is for.
struct SyclBackend {
  using Device = ContextDevice;
  using Memory = SyclMemory;
  using Queue = sycl::Queue;
  using Event = SyclEvent;
  using AwaitedEvent = SyclEvent;
  using Kernel = LoadedKernel;
  using Sides = CopySides<SyclMemory>;

  /// Memory that JavaScript requests.
  struct Request {
    UsmType type;
    std::size_t size;
    std::size_t alignment;

    int kind() const { return UsmAllocation::KindOf(type, alignment); }
  };

  static constexpr const char* kName = "sycl";
  static constexpr ai_order_kind kOrderKind = AI_SYCL_QUEUE;
  static constexpr const char* kCodePath = "code.sycl.spirv";
  static constexpr const char* kFunctionPath = "code.sycl.function";

  /// The runtime has no current context.
  struct Scope {
    explicit Scope(const Queue&) {}
  };

  static Failure FailureOf(const std::exception& error);
  static Failure KernelFailureOf(const std::exception_ptr& error);

  static std::shared_ptr<ContextDevice> ReadDevice(const Napi::Value& value);
  static const void* AllocatorKeyOf(const ContextDevice& context_device) {
    return context_device.name();
  }
  static void AssertRunsKernels(const ContextDevice& context_device);
  static KernelBuilder& Builder() { return KernelBuilder::Instance(); }
  static void ReleaseIdle(Napi::Env) {}

  static Request ReadRequest(const Napi::Value& type, const Napi::Value& size,
                             const Napi::Value& alignment);
  static std::unique_ptr<Allocation> Allocate(const std::shared_ptr<ContextDevice>& context_device,
                                              const Request& request);
  static Failure OutOfMemory(const ContextDevice& context_device, const Request& request);
  static std::shared_ptr<SyclMemory> Own(Napi::Env env, std::unique_ptr<Allocation> allocation,
                                         const std::shared_ptr<ContextDevice>& context_device,
                                         const Request& request);
  static std::optional<SyclMemory::Parts> Find(const Napi::Value& device, std::uint64_t pointer,
                                               const Napi::Value&);
  static ObjectRefs& ObjectRefsOf(Napi::Env env);

  static Enqueued Copy(Napi::Env env, const std::shared_ptr<Queue>& queue, const StridedCopy& plan,
                       const Sides& sides);
  static Enqueued Copy(Napi::Env env, const std::shared_ptr<Queue>& queue, const CopiedRun& run,
                       const Sides& sides);
  static void AssertReaches(const Queue& queue, const SyclMemory& memory);
  static LoadedKernel::Shape ReadShape(const Napi::Value& value);
  /// No other process has the memory.
  static Napi::Value Notify(Napi::Env env, const Enqueued&, Uses) { return env.Undefined(); }

  static std::shared_ptr<void> DeviceOf(const SyclMemory& memory) {
    return memory.context_device();
  }
  static void* NativeContextOf(const SyclMemory& memory) {
    return memory.context_device()->context.get();
  }
  static std::shared_ptr<Queue> Use(const std::shared_ptr<Queue>& queue);
  static void WaitForConsumer(Queue& queue, ai_order_kind kind, void* order);
  static void BlockUntilConsumed(Queue& queue, ai_order_kind kind, void* order);
  static bool EndsWork(const std::exception&) { return false; }
  template <class Call>
  static void CallDriver(const Call& call) {
    ExitGate::Instance().Pass(call);
  }
  template <class Thing>
  static void Drop(Thing thing) noexcept {
    ExitGate::Instance().Drop(std::move(thing));
  }

  /// Every event has its times if the queue was created with profiling.
  static std::shared_ptr<SyclEvent> Record(Queue& queue, bool) { return queue.RecordEvent(); }
  static PollResult Poll(SyclEvent& event) { return event.TryQuery(); }
  static void NoteWait() {}
  static Events LastEvents(Napi::Env env);

  static Napi::Object Describe(Napi::Env env, const std::shared_ptr<SyclMemory>& memory);
  static Bytes StagingOf(Napi::Env env, const SyclMemory& memory);
  static bool IsHostAccessible(const SyclMemory& memory, std::uint64_t address, std::size_t size);
};

}  // namespace array_interface::sycl
