#include <memory>
#include <string>

#include "bindings/allocate.hpp"
#include "bindings/bindings.hpp"
#include "napi/argument.hpp"

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
  const auto context = CudaBackend::ReadDevice(info[0]);
  const MemoryKind kind = ReadKind(info[1]);
  std::size_t size = ReadSize(info[2], "byteLength");
  if (kind == MemoryKind::kStaging) size = DriverAllocation::StagingSize(size);
  return GiveMemory(info.Env(), Allocate(info.Env(), *context, kind, size, info[3].ToNumber(), [&] {
                      return std::make_unique<DriverAllocation>(context, kind, size);
                    }));
}

/// lend(memory): another reference to the same memory, which lives until both have ended.
Napi::Value Lend(const Napi::CallbackInfo& info) {
  return DescribeMemory(info.Env(), LiveMemory<CudaMemory>(info[0], "memory")->Lend(info.Env()));
}

/// reaches(stream, memory): whether kernels on the stream can access device memory. Enables peer
/// access if possible.
Napi::Value Reaches(const Napi::CallbackInfo& info) {
  const auto stream = LiveQueue<Stream>(info[0]);
  const auto memory = LiveMemory<CudaMemory>(info[1], "memory");
  return Napi::Boolean::New(info.Env(), memory->IsReachedFrom(*stream->context()));
}

}  // namespace

void BindMemory(Napi::Object exports) {
  AddExports(exports, {
                          {"allocate", kFunction<Allocate>},
                          {"lend", kFunction<Lend>},
                          {"reaches", kFunction<Reaches>},
                      });
}

}  // namespace array_interface::cuda
