#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "capsule/abi.hpp"
#include "device/work.hpp"
#include "driver/kernel_builder.hpp"
#include "ipc/notify.hpp"
#include "memory/cuda_memory.hpp"
#include "napi/object_refs.hpp"
#include "napi/promise_settler.hpp"
#include "work/cuda_event.hpp"
#include "work/event_pool.hpp"
#include "work/loaded_kernel.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// What CUDA does in its own way. device/bindings.hpp says what each function is for.
struct CudaBackend {
  using Device = Context;
  using Memory = CudaMemory;
  using Queue = Stream;
  using Event = CudaEvent;
  using AwaitedEvent = WaitableEvent;
  using Kernel = LoadedKernel;
  using Sides = CopySides<CudaMemory>;

  /// Memory that JavaScript requests.
  struct Request {
    MemoryKind memory_kind;
    std::size_t size;

    int kind() const { return static_cast<int>(memory_kind); }
  };

  static constexpr const char* kName = "cuda";
  static constexpr ai_order_kind kOrderKind = AI_CUDA_STREAM;
  static constexpr const char* kCodePath = "code.cuda";
  static constexpr const char* kFunctionPath = "code.cuda.function";

  /// Keeps the stream's context current, so that nested scopes make no driver call.
  class Scope {
   public:
    explicit Scope(const Stream& stream) : scope_(*stream.context()) {}

   private:
    ContextScope scope_;
  };

  static Failure FailureOf(const std::exception& error);
  static Failure KernelFailureOf(const std::exception_ptr& error);

  static std::shared_ptr<Context> ReadDevice(const Napi::Value& value);
  static const void* AllocatorKeyOf(const Context& context) { return &context; }
  static void AssertRunsKernels(const Context&) {}
  static KernelBuilder& Builder() { return KernelBuilder::Instance(); }
  static void ReleaseIdle(Napi::Env env);

  static Request ReadRequest(const Napi::Value& memory_kind, const Napi::Value& size,
                             const Napi::Value& alignment);
  static std::unique_ptr<Allocation> Allocate(const std::shared_ptr<Context>& context,
                                              const Request& request);
  static Failure OutOfMemory(const Context& context, const Request& request);
  static std::shared_ptr<CudaMemory> Own(Napi::Env env, std::unique_ptr<Allocation> allocation,
                                         const std::shared_ptr<Context>& context,
                                         const Request& request);
  /// `has_context`: see CudaMemory::Location.
  static std::optional<CudaMemory::Parts> Find(const Napi::Value& device, std::uint64_t pointer,
                                               const Napi::Value& has_context);
  static ObjectRefs& ObjectRefsOf(Napi::Env env);

  static Enqueued Copy(Napi::Env env, const std::shared_ptr<Stream>& stream,
                       const StridedCopy& plan, const Sides& sides);
  static Enqueued Copy(Napi::Env env, const std::shared_ptr<Stream>& stream, const CopiedRun& run,
                       const Sides& sides);
  static void AssertReaches(const Stream&, const CudaMemory&) {}
  static LoadedKernel::Shape ReadShape(const Napi::Value& value);
  static Napi::Value Notify(Napi::Env env, const Enqueued& work, Uses uses) {
    return NotifyPeers(env, work, uses);
  }

  static std::shared_ptr<void> DeviceOf(const CudaMemory&) { return nullptr; }
  static void* NativeContextOf(const CudaMemory&) { return nullptr; }
  static std::shared_ptr<Stream> Use(std::shared_ptr<Stream> stream) {
    return Stream::Use(std::move(stream));
  }
  static void WaitForConsumer(Stream& stream, ai_order_kind kind, void* order);
  static void BlockUntilConsumed(Stream& stream, ai_order_kind kind, void* order);
  static bool EndsWork(const std::exception& error);
  /// Each call of the driver passes the exit gate by itself.
  template <class Call>
  static void CallDriver(const Call& call) {
    call();
  }
  template <class Thing>
  static void Drop(Thing) noexcept {}

  static std::shared_ptr<CudaEvent> Record(Stream& stream, bool timing);
  static PollResult Poll(WaitableEvent& event) noexcept;
  /// The wait may have been for the last work on memory that is being freed.
  static void NoteWait() { ProcessAllocator().PollSoon(); }
  static Events LastEvents(Napi::Env env);

  static Napi::Object Describe(Napi::Env env, std::shared_ptr<CudaMemory> memory) {
    return DescribeMemory(env, std::move(memory));
  }
  static Bytes StagingOf(Napi::Env env, const CudaMemory& memory);
  static bool IsHostAccessible(const CudaMemory& memory, std::uint64_t address, std::size_t size);
};

}  // namespace array_interface::cuda
