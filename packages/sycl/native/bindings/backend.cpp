#include "bindings/backend.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/addon.hpp"
#include "bindings/describe.hpp"
#include "device/memory.hpp"
#include "memory/check_copy.hpp"
#include "work/runtime.hpp"

namespace array_interface::sycl {

Failure SyclBackend::FailureOf(const std::exception& error) {
  if (const auto* refused = dynamic_cast<const SyclError*>(&error)) return refused->failure();
  return {"ERR_ARGUMENT", "", error.what(), "", 0, ""};
}

Failure SyclBackend::KernelFailureOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& refused) {
    return {"ERR_KERNEL", "code.sycl", refused.what(), "", 0, ""};
  }
}

std::shared_ptr<ContextDevice> SyclBackend::ReadDevice(const Napi::Value& value) {
  return Handle<ContextDevice>::Unwrap(value, "context");
}

void SyclBackend::AssertRunsKernels(const ContextDevice& context_device) {
  if (context_device.RunsKernels()) return;
  throw SyclError("ERR_KERNEL", "code.sycl",
                  "expected a device that runs SPIR-V, got " + context_device.selector +
                      ", which does not; launch it on another");
}

SyclBackend::Request SyclBackend::ReadRequest(const Napi::Value& type, const Napi::Value& size,
                                              const Napi::Value& alignment) {
  return {static_cast<UsmType>(ReadSize(type, "memoryKind")), ReadSize(size, "byteLength"),
          ReadSize(alignment, "alignment")};
}

std::unique_ptr<Allocation> SyclBackend::Allocate(
    const std::shared_ptr<ContextDevice>& context_device, const Request& request) {
  return UsmAllocation::Make(Runtime::Get().blocks(), context_device, request.type,
                             request.alignment, request.size);
}

Failure SyclBackend::OutOfMemory(const ContextDevice& context_device, const Request& request) {
  const auto& function = UsmAllocation::FunctionFor(context_device.dpctl, request.type);
  return {"ERR_OUT_OF_MEMORY", "", "on " + context_device.selector + ", got none", "", 0,
          function.name()};
}

std::shared_ptr<SyclMemory> SyclBackend::Own(Napi::Env env, std::unique_ptr<Allocation> allocation,
                                             const std::shared_ptr<ContextDevice>& context_device,
                                             const Request& request) {
  auto block = UsmAllocation::Hold(std::move(allocation), context_device);
  Runtime::Get().blocks().Add(block);
  return std::make_shared<SyclMemory>(env, context_device, request.type, std::move(block), true);
}

std::optional<SyclMemory::Parts> SyclBackend::Find(const Napi::Value& device, std::uint64_t pointer,
                                                   const Napi::Value&) {
  PointerFound found = Runtime::Get().FindIn(ReadDevice(device), pointer);
  if (!found.IsToBeHad()) return std::nullopt;
  return SyclMemory::Parts{std::move(found.context_device), found.type, std::move(found.block)};
}

ObjectRefs& SyclBackend::ObjectRefsOf(Napi::Env env) { return SyclAddon::Of(env).object_refs(); }

Enqueued SyclBackend::Copy(Napi::Env env, const std::shared_ptr<Queue>& queue,
                           const StridedCopy& plan, const Sides& sides) {
  const auto& context_device = queue->context_device();
  CheckCopy(*context_device, plan, sides.target, sides.origin);
  Kernels::Chosen kernels;
  if (!is_one_run(plan)) kernels = context_device->kernels().Choose(context_device, plan);
  const bool is_import = sides.target.is_system() || sides.origin.is_system();
  ImportedWork& imported = SyclAddon::Of(env).imported_work();
  if (is_import) imported.Expect();
  const Enqueued work = Work(queue, sides.uses, [&] { queue->Copy(plan, kernels); });
  if (is_import) imported.Note(std::static_pointer_cast<SyclEvent>(work.event));
  return work;
}

Enqueued SyclBackend::Copy(Napi::Env env, const std::shared_ptr<Queue>& queue, const CopiedRun& run,
                           const Sides& sides) {
  StridedCopy plan;
  plan.destination = reinterpret_cast<void*>(run.destination);
  plan.source = reinterpret_cast<const void*>(run.source);
  plan.lengths = {static_cast<std::int64_t>(run.size)};
  plan.destination_strides = {1};
  plan.source_strides = {1};
  return Copy(env, queue, plan, sides);
}

void SyclBackend::AssertReaches(const Queue& queue, const SyclMemory& memory) {
  const ContextDevice& context_device = *queue.context_device();
  if (memory.context_device()->SharesContext(context_device)) return;
  throw SyclError("ERR_NOT_ACCESSIBLE", "memory",
                  "expected memory that the queue on " + context_device.selector +
                      " can access, got memory of another context; name a queue of its context");
}

LoadedKernel::Shape SyclBackend::ReadShape(const Napi::Value& value) {
  const Bytes given = ReadBytes(value, "shape");
  const std::size_t rank = given.size / (2 * sizeof(std::uint32_t));
  if (rank < 1 || rank > 3 || given.size % (2 * sizeof(std::uint32_t)) != 0) {
    throw std::invalid_argument(
        "expected the items and the group along 1 to 3 axes, got something else");
  }
  std::vector<std::uint32_t> numbers(2 * rank);
  std::copy_n(given.data, given.size, reinterpret_cast<std::byte*>(numbers.data()));
  LoadedKernel::Shape shape{{1, 1, 1}, {1, 1, 1}, rank};
  std::copy_n(numbers.begin(), rank, shape.items);
  std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(rank), rank, shape.group);
  return shape;
}

std::shared_ptr<Queue> SyclBackend::Use(const std::shared_ptr<Queue>& queue) {
  return Runtime::Get().AdoptQueue(queue->HandOut());
}

void SyclBackend::WaitForConsumer(Queue& queue, ai_order_kind kind, void* order) {
  if (order == nullptr) return;  // the consumer names no work
  if (kind == AI_SYCL_EVENT) queue.WaitFor(order);
  if (kind != AI_SYCL_QUEUE) return;
  auto consumers = Runtime::Get().AdoptQueue(order);
  if (consumers == nullptr) return BlockUntilConsumed(queue, kind, order);  // the queue is ending
  const QueueUse<Queue> use(std::move(consumers));
  queue.Wait(*use.queue()->RecordEvent());
}

void SyclBackend::BlockUntilConsumed(Queue& queue, ai_order_kind kind, void* order) {
  const Dpctl& dpctl = queue.context_device()->dpctl;
  if (kind == AI_SYCL_EVENT) dpctl.Event_WaitAndThrow(order);
  if (kind == AI_SYCL_QUEUE) dpctl.Queue_Wait(order);
}

Events SyclBackend::LastEvents(Napi::Env) {
  Events events;
  for (const auto& queue : Runtime::Get().queues().All()) events.push_back(queue->RecordEvent());
  return events;
}

Napi::Object SyclBackend::Describe(Napi::Env env, const std::shared_ptr<SyclMemory>& memory) {
  return DescribeMemory(env, memory);
}

Bytes SyclBackend::StagingOf(Napi::Env, const SyclMemory& memory) {
  const Allocation* const allocation = memory.allocation();
  if (allocation != nullptr && memory.type() != UsmType::kDevice) {
    return {reinterpret_cast<std::byte*>(allocation->pointer()), allocation->size()};
  }
  throw SyclError(
      "ERR_NOT_ACCESSIBLE", "memory",
      "expected host or shared memory of this backend, got other memory; copy it on a queue");
}

// For this library's memory the block tells; for other memory the runtime is queried.
bool SyclBackend::IsHostAccessible(const SyclMemory& memory, std::uint64_t address,
                                   std::size_t size) {
  if (memory.type() != UsmType::kHost && memory.type() != UsmType::kShared) return false;
  if (const Allocation* const allocation = memory.allocation()) {
    return IsWithin(allocation->pointer(), allocation->size(), address, size);
  }
  for (const std::uint64_t end : {address, address + std::max<std::size_t>(size, 1) - 1}) {
    if (memory.context_device()->TypeOf(reinterpret_cast<void*>(end)) != memory.type())
      return false;
  }
  return true;
}

}  // namespace array_interface::sycl
