#include "work/copy.hpp"

#include <cstdint>
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "ipc/notify.hpp"
#include "memory/cuda_memory.hpp"
#include "memory/work.hpp"
#include "napi/argument.hpp"
#include "work/held_stream.hpp"

namespace array_interface::cuda {

namespace {

/// Whether the copy is without conversion and contiguous on both sides.
bool IsRun(const StridedCopy& copy) {
  if (copy.conversion) return false;
  if (copy.lengths.empty()) return true;
  return copy.lengths.size() == 1 && copy.destination_strides[0] == copy.unit &&
         copy.source_strides[0] == copy.unit;
}

void Enqueue(const Stream& stream, const StridedCopy& copy) {
  if (!IsRun(copy)) return CopyStrided(stream, copy);
  validate(copy);
  const auto count = copy.lengths.empty() ? 1 : static_cast<std::size_t>(copy.lengths[0]);
  EnqueueMemcpy(stream, reinterpret_cast<DevicePointer>(copy.destination),
                reinterpret_cast<DevicePointer>(copy.source), count * copy.unit);
}

/// copy(stream, plan, target, origin): enqueues a plan, ordered with all other work on both
/// memories, which the stream can access. Returns what ToldOf returns.
Napi::Value Copy(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[0]);
  const StridedCopy plan = ReadPlan(info[1]);
  const auto target = LiveMemory(info[2], "destination");
  const auto origin = LiveMemory(info[3], "source");
  const ContextScope scope(*stream->context());  // so that nested scopes make no driver call
  Use both[] = {{&target->ref(), Access::kWrite}, {&origin->ref(), Access::kRead}};
  const Enqueued work = Work(stream, {both, 2}, [&] { Enqueue(*stream, plan); });
  return ToldOf(info.Env(), work, {both, 2});
}

/// copyRun(stream, destination, source, byteLength, target, origin): enqueues one contiguous run of
/// bytes. Reading a plan would take longer than all driver calls. Returns what ToldOf returns.
Napi::Value CopyRun(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[0]);
  const DevicePointer destination = ReadPointer(info[1], "destination");
  const DevicePointer source = ReadPointer(info[2], "source");
  const std::uint64_t size = ReadSize(info[3], "byteLength");
  if (size > 0 && (destination == 0 || source == 0)) {
    throw std::invalid_argument("expected the addresses of both sides, got 0; allocate them first");
  }
  const auto target = LiveMemory(info[4], "destination");
  const auto origin = LiveMemory(info[5], "source");
  const ContextScope scope(*stream->context());  // so that nested scopes make no driver call
  Use both[] = {{&target->ref(), Access::kWrite}, {&origin->ref(), Access::kRead}};
  const Enqueued work =
      Work(stream, {both, 2}, [&] { EnqueueMemcpy(*stream, destination, source, size); });
  return ToldOf(info.Env(), work, {both, 2});
}

/// reaches(stream, memory): whether kernels on the stream can access device memory. Enables peer
/// access if possible.
Napi::Value Reaches(const Napi::CallbackInfo& info) {
  const auto stream = LiveStream(info[0]);
  const auto memory = LiveMemory(info[1], "memory");
  return Napi::Boolean::New(info.Env(), memory->IsReachedFrom(*stream->context()));
}

}  // namespace

void BindCopy(Napi::Object exports) {
  AddExports(exports, {
                          {"copy", kFunction<Copy>},
                          {"copyRun", kFunction<CopyRun>},
                          {"reaches", kFunction<Reaches>},
                      });
}

}  // namespace array_interface::cuda
