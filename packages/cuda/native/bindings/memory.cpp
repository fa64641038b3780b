#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "bindings/addon.hpp"
#include "bindings/allocate.hpp"
#include "bindings/bindings.hpp"
#include "kernels/host/copy.hpp"
#include "memory/cuda_memory.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "work/event_pool.hpp"
#include "work/held_stream.hpp"
#include "work/wait.hpp"

namespace array_interface::cuda {

namespace {

MemoryKind ReadKind(const Napi::Value& value) {
  const std::string kind = ReadString(value, "memoryKind");
  if (kind == "device") return MemoryKind::kDevice;
  if (kind == "shared") return MemoryKind::kManaged;
  if (kind == "host") return MemoryKind::kPinned;
  if (kind == "staging") return MemoryKind::kStaging;
  Throw(value.Env(), {"ERR_ARGUMENT", "memoryKind",
                      "expected 'device', 'shared' or 'host', got '" + kind + "'", "", 0, ""});
}

/// allocate(device, memoryKind, byteLength, timeout): new memory.
Napi::Value Allocate(const Napi::CallbackInfo& info) {
  const auto context = Context::Primary(static_cast<int>(ReadSize(info[0], "device")));
  const MemoryKind kind = ReadKind(info[1]);
  std::size_t size = ReadSize(info[2], "byteLength");
  if (kind == MemoryKind::kStaging) size = DriverAllocation::StagingSize(size);
  return GiveMemory(info.Env(), Allocate(info.Env(), *context, kind, size, info[3].ToNumber(), [&] {
                      return std::make_unique<DriverAllocation>(context, kind, size);
                    }));
}

/// returned(): how many times memory has been freed.
Napi::Value Returned(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(ProcessAllocator().returned()));
}

/// memoryReturned(device, returned): a promise that settles once memory has been freed after
/// `returned` was read, or once no memory of the device is being freed.
Napi::Value MemoryReturned(const Napi::CallbackInfo& info) {
  const auto context = Context::Primary(static_cast<int>(ReadSize(info[0], "device")));
  auto& allocator = ProcessAllocator();
  const std::uint64_t seen = ReadSize(info[1], "returned");
  const auto eager_polling = allocator.PollEagerly();
  return CudaAddon::Of(info.Env())
      .settler()
      .Wait(info.Env(), [&allocator, context, seen, eager_polling] {
        const bool is_over =
            allocator.HasReturned(seen) || allocator.PendingBytes(context.get()) == 0;
        return PollResult{is_over, std::nullopt};
      });
}

/// lend(memory): another reference to the same memory, which lives until both have ended.
Napi::Value Lend(const Napi::CallbackInfo& info) {
  return DescribeMemory(info.Env(), LiveMemory(info[0], "memory")->Lend(info.Env()));
}

/// endMemory(memory): releases the reference. Never blocks.
Napi::Value EndMemory(const Napi::CallbackInfo& info) {
  Handle<CudaMemory>::Unwrap(info[0], "memory")->End();
  return info.Env().Undefined();
}

/// exportOn(memory, stream): makes the stream wait for all work, before it is named to consumers.
Napi::Value ExportOn(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[1]);
  const ContextScope scope(*stream->context());  // so that nested scopes make no driver call
  LiveMemory(info[0], "memory")->ref().Export(stream);
  return info.Env().Undefined();
}

/// waitMemory(memory): a promise for the end of this library's and other processes' work on it.
Napi::Value WaitMemory(const Napi::CallbackInfo& info) {
  const auto memory = LiveMemory(info[0], "memory");
  const auto& block = memory->ref().block();
  Events events;
  {
    const std::lock_guard lock(block->tracker().mutex());
    events = block->tracker().Last();
    if (block->peers() != nullptr) {
      for (auto& event : block->peers()->Pending()) events.push_back(event);
    }
  }
  return WaitFor(info.Env(), events);
}

/// settle(memory, stream): a promise for the end of all work, including the producer's and
/// consumers'. The stream waits for that work.
Napi::Value Settle(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[1]);
  return WaitFor(info.Env(), Events{LiveMemory(info[0], "memory")->ref().Settle(stream)});
}

/// Copies between pinned and JavaScript memory, synchronously. The plan counts from each side's
/// first byte.
Napi::Value Move(const Napi::CallbackInfo& info, bool into_pinned) {
  const Napi::Env env = info.Env();
  const auto memory = LiveMemory(info[0], "memory");
  const CudaAllocation* const allocation = memory->allocation();
  if (allocation == nullptr || allocation->host() == nullptr) {
    Throw(env, {"ERR_TYPE", "memory", "expected pinned memory, got other memory", "", 0, ""});
  }
  allocation->context()->AssertAlive();  // throws if the memory was lost with its context
  StridedCopy plan = ReadPlan(info[1]);
  const Bytes bytes = ReadBytes(info[2], "buffer");
  CheckWithin(env, plan, into_pinned, bytes.size, "buffer");
  CheckWithin(env, plan, !into_pinned, allocation->size(), "memory");
  std::byte* const to = into_pinned ? allocation->host() : bytes.data;
  std::byte* const from = into_pinned ? bytes.data : allocation->host();
  plan.destination = to + reinterpret_cast<std::uintptr_t>(plan.destination);
  plan.source = from + reinterpret_cast<std::uintptr_t>(plan.source);
  strided_copy(plan);
  return env.Undefined();
}

/// read(memory, plan, bytes): copies JavaScript memory into pinned memory.
Napi::Value Read(const Napi::CallbackInfo& info) { return Move(info, true); }

/// write(memory, plan, bytes): copies pinned memory into JavaScript memory.
Napi::Value Write(const Napi::CallbackInfo& info) { return Move(info, false); }

/// releaseCached(): a promise that settles once cached memory has been returned to the driver.
Napi::Value ReleaseCached(const Napi::CallbackInfo& info) {
  auto& allocator = ProcessAllocator();
  allocator.ReleaseCached();
  EventPool::Get().Empty();
  return CudaAddon::Of(info.Env()).settler().Wait(info.Env(), [&allocator] {
    return PollResult{allocator.HasReleased(), std::nullopt};
  });
}

}  // namespace

void BindMemory(Napi::Object exports) {
  AddExports(exports, {
                          {"allocate", kFunction<Allocate>},
                          {"returned", kFunction<Returned>},
                          {"memoryReturned", kFunction<MemoryReturned>},
                          {"lend", kFunction<Lend>},
                          {"endMemory", kFunction<EndMemory>},
                          {"exportOn", kFunction<ExportOn>},
                          {"waitMemory", kFunction<WaitMemory>},
                          {"settle", kFunction<Settle>},
                          {"read", kFunction<Read>},
                          {"write", kFunction<Write>},
                          {"releaseCached", kFunction<ReleaseCached>},
                      });
}

}  // namespace array_interface::cuda
