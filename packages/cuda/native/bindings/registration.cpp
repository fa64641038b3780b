#include "memory/registration.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "bindings/addon.hpp"
#include "bindings/bindings.hpp"
#include "napi/argument.hpp"

namespace array_interface::cuda {

namespace {

/// Registers memory of this process with the driver, until nothing references it.
Napi::Value MakeRegistered(const Napi::CallbackInfo& info, std::byte* data, std::size_t size,
                           std::shared_ptr<void> kept) {
  auto& addon = CudaAddon::Of(info.Env());
  const std::weak_ptr<void> token = kept;
  const int device = static_cast<int>(ReadSize(info[0], "device"));
  auto block = MakeBlock(std::make_unique<RegisteredAllocation>(Context::Primary(device), data,
                                                                size, std::move(kept)));
  addon.registrations().Add(block, token);
  return DescribeMemory(info.Env(), std::make_shared<CudaMemory>(info.Env(), std::move(block), true,
                                                                 CudaMemory::Location{device}));
}

/// register(device, bytes): registers the memory of a buffer that does not move, and keeps the
/// buffer alive.
Napi::Value Register(const Napi::CallbackInfo& info) {
  const Bytes bytes = ReadBytes(info[1], "bytes");
  auto kept = CudaAddon::Of(info.Env()).object_refs().Keep(info[1].As<Napi::Object>());
  return MakeRegistered(info, bytes.data, bytes.size, std::move(kept));
}

/// registerRange(device, pointer, byteLength, letGo): registers an address range without checking
/// it. Calls `letGo` once the driver has unregistered the range.
Napi::Value RegisterRange(const Napi::CallbackInfo& info) {
  auto* const data = reinterpret_cast<std::byte*>(ReadPointer(info[1], "pointer"));
  const std::size_t size = ReadSize(info[2], "byteLength");
  auto kept = CudaAddon::Of(info.Env()).object_refs().KeepUntilCalled(info[3].As<Napi::Function>());
  return MakeRegistered(info, data, size, std::move(kept));
}

}  // namespace

void BindRegistration(Napi::Object exports) {
  AddExports(exports, {
                          {"register", kFunction<Register>},
                          {"registerRange", kFunction<RegisterRange>},
                      });
}

}  // namespace array_interface::cuda
