#include "bindings/backend.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/addon.hpp"
#include "device/memory.hpp"
#include "driver/driver.hpp"
#include "driver/failure.hpp"
#include "ipc/lease_lock.hpp"
#include "memory/pointer_info.hpp"
#include "work/captured_stream.hpp"
#include "work/copy.hpp"

namespace array_interface::cuda {

namespace {

/// Driver errors for code that it rejects: an image of another kind or version, invalid PTX, no
/// function of that name.
constexpr int kRefusals[] = {200, 209, 218, 222, 300, 301, 302, 303, 500};

/// Core retries if another process holds the lock, which it recognises by the driver code EAGAIN.
Failure ToFailure(const LockError& error) {
  const bool is_held = error.error() == EAGAIN;
  return {"ERR_TICKET",
          "",
          std::string("expected a lock on the ticket's file, which orders work between "
                      "processes, got ") +
              error.what() + "; release other locks on it, or copy the memory",
          is_held ? "EAGAIN" : "",
          is_held ? EAGAIN : 0,
          is_held ? "fcntl" : ""};
}

/// What the memory of a request is, for errors.
const char* NameOf(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kManaged:
      return "managed memory";
    case MemoryKind::kPinned:
    case MemoryKind::kStaging:
      return "pinned memory";
    case MemoryKind::kPool:
      return "pool memory";
    default:
      return "device memory";
  }
}

MemoryKind ReadKind(const Napi::Value& value) {
  const std::string kind = ReadString(value, "memoryKind");
  if (kind == "device") return MemoryKind::kDevice;
  if (kind == "shared") return MemoryKind::kManaged;
  if (kind == "host") return MemoryKind::kPinned;
  if (kind == "staging") return MemoryKind::kStaging;
  Throw(value.Env(), {"ERR_ARGUMENT", "memoryKind",
                      "expected 'device', 'shared' or 'host', got '" + kind + "'", "", 0, ""});
}

std::shared_ptr<Stream> ConsumersStream(const Stream& stream, void* order) {
  return Stream::Named(reinterpret_cast<std::uint64_t>(order), stream.context()->device());
}

}  // namespace

Failure CudaBackend::FailureOf(const std::exception& error) {
  if (const auto* refused = dynamic_cast<const DriverError*>(&error)) return ToFailure(*refused);
  if (const auto* refused = dynamic_cast<const LockError*>(&error)) return ToFailure(*refused);
  if (dynamic_cast<const CapturedStream*>(&error) != nullptr) {
    return {"ERR_CAPTURE", "stream", error.what(), "", 0, ""};
  }
  return {"ERR_ARGUMENT", "", error.what(), "", 0, ""};
}

Failure CudaBackend::KernelFailureOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const DriverError& refused) {
    Failure failure = ToFailure(refused);
    const auto* const last = std::end(kRefusals);
    if (std::find(std::begin(kRefusals), last, refused.result()) != last) {
      failure.code = "ERR_KERNEL";
      failure.path = kCodePath;
    }
    return failure;
  } catch (const std::exception& other) {
    return {"ERR_KERNEL", kCodePath, other.what(), "", 0, ""};
  }
}

std::shared_ptr<Context> CudaBackend::ReadDevice(const Napi::Value& value) {
  return Context::Primary(static_cast<int>(ReadSize(value, "device")));
}

CudaBackend::Request CudaBackend::ReadRequest(const Napi::Value& memory_kind,
                                              const Napi::Value& size, const Napi::Value&) {
  const Request request{ReadKind(memory_kind), ReadSize(size, "byteLength")};
  if (request.memory_kind != MemoryKind::kStaging) return request;
  return {request.memory_kind, DriverAllocation::StagingSize(request.size)};
}

std::unique_ptr<Allocation> CudaBackend::Allocate(const std::shared_ptr<Context>& context,
                                                  const Request& request) {
  return OrNone([&] {
    return std::make_unique<DriverAllocation>(context, request.memory_kind, request.size);
  });
}

Failure CudaBackend::OutOfMemory(const Context& context, const Request& request) {
  return {"ERR_OUT_OF_MEMORY",
          "",
          std::string("of ") + NameOf(request.memory_kind) + " on device " +
              std::to_string(context.device()) + ", got CUDA_ERROR_OUT_OF_MEMORY",
          "CUDA_ERROR_OUT_OF_MEMORY",
          kOutOfMemory,
          ""};
}

std::shared_ptr<CudaMemory> CudaBackend::Own(Napi::Env env, std::unique_ptr<Allocation> allocation,
                                             const std::shared_ptr<Context>& context,
                                             const Request&) {
  auto* const made = static_cast<CudaAllocation*>(allocation.release());
  auto block = MakeBlock(std::unique_ptr<CudaAllocation>(made));
  const CudaMemory::Location location{context->device()};
  return std::make_shared<CudaMemory>(env, std::move(block), true, location);
}

std::optional<CudaMemory::Parts> CudaBackend::Find(const Napi::Value& device, std::uint64_t pointer,
                                                   const Napi::Value& has_context) {
  auto block = pointer == 0 ? nullptr : ProcessBlocks().Find(pointer);
  const CudaMemory::Location location{static_cast<int>(ReadSize(device, "device")),
                                      has_context.ToBoolean()};
  return CudaMemory::Parts{std::move(block), location};
}

ObjectRefs& CudaBackend::ObjectRefsOf(Napi::Env env) { return CudaAddon::Of(env).object_refs(); }

Enqueued CudaBackend::Copy(Napi::Env, const std::shared_ptr<Stream>& stream,
                           const StridedCopy& plan, const Sides& sides) {
  return Work(stream, sides.uses, [&] { CopyStrided(*stream, plan); });
}

Enqueued CudaBackend::Copy(Napi::Env, const std::shared_ptr<Stream>& stream, const CopiedRun& run,
                           const Sides& sides) {
  if (run.size > 0 && (run.destination == 0 || run.source == 0)) {
    throw std::invalid_argument("expected the addresses of both sides, got 0; allocate them first");
  }
  return Work(stream, sides.uses,
              [&] { EnqueueMemcpy(*stream, run.destination, run.source, run.size); });
}

LoadedKernel::Shape CudaBackend::ReadShape(const Napi::Value& value) {
  LoadedKernel::Shape shape{};
  const Bytes given = ReadBytes(value, "shape");
  if (given.size != sizeof shape)
    throw std::invalid_argument("expected seven numbers, got something else");
  std::copy_n(given.data, given.size, reinterpret_cast<std::byte*>(shape.data()));
  return shape;
}

void CudaBackend::WaitForConsumer(Stream& stream, ai_order_kind kind, void* order) {
  stream.AssertRuns();  // first, since a wait that fails would break its capture
  if (kind == AI_CUDA_EVENT) stream.WaitFor(order);
  if (kind == AI_CUDA_STREAM) stream.Wait(*ConsumersStream(stream, order)->Mark());
}

void CudaBackend::BlockUntilConsumed(Stream& stream, ai_order_kind kind, void* order) {
  const ContextScope scope(*stream.context());
  if (kind == AI_CUDA_EVENT) Cuda().cuEventSynchronize(static_cast<EventHandle>(order));
  if (kind == AI_CUDA_STREAM) ConsumersStream(stream, order)->Synchronize();
}

bool CudaBackend::EndsWork(const std::exception& error) {
  const auto* const refused = dynamic_cast<const DriverError*>(&error);
  return refused != nullptr && array_interface::cuda::EndsWork(refused->result());
}

// An event in a graph does not represent the stream's work, and is not reused.
std::shared_ptr<CudaEvent> CudaBackend::Record(Stream& stream, bool timing) {
  return timing || stream.IsCapturing() ? stream.MarkUntracked(timing) : stream.Mark();
}

PollResult CudaBackend::Poll(WaitableEvent& event) noexcept {
  try {
    return {event.Query(), std::nullopt};
  } catch (const DriverError& error) {
    return {true, ToFailure(error)};
  }
}

void CudaBackend::ReleaseIdle(Napi::Env env) {
  CudaAddon::Of(env).last_events().ForgetEnded();  // gives their events to the pool
  EventPool::Get().Empty();
}

Events CudaBackend::LastEvents(Napi::Env env) { return CudaAddon::Of(env).last_events().Last(); }

Bytes CudaBackend::StagingOf(Napi::Env env, const CudaMemory& memory) {
  const CudaAllocation* const allocation = memory.allocation();
  if (allocation == nullptr || allocation->host() == nullptr) {
    Throw(env, {"ERR_TYPE", "memory", "expected pinned memory, got other memory", "", 0, ""});
  }
  allocation->context()->AssertAlive();  // throws if the memory was lost with its context
  return {allocation->host(), allocation->size()};
}

// Checks the block if this library allocated the memory; otherwise queries the driver.
bool CudaBackend::IsHostAccessible(const CudaMemory& memory, std::uint64_t address,
                                   std::size_t size) {
  if (const CudaAllocation* const allocation = memory.allocation()) {
    allocation->context()->AssertAlive();
    const auto start = reinterpret_cast<std::uint64_t>(allocation->host());
    return start != 0 && IsWithin(start, allocation->size(), address, size);
  }
  for (const std::uint64_t end : {address, address + size - 1}) {
    if (InspectPointer(end).host_pointer != end) return false;
  }
  return true;
}

}  // namespace array_interface::cuda
