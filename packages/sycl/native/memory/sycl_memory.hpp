#pragma once

#include <memory>
#include <utility>

#include "device/device_memory.hpp"
#include "driver/context_device.hpp"
#include "napi/setup.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

/// The parts of a memory, for a reference in another thread.
class SharedMemory {
 public:
  /// What another reference needs.
  struct Parts {
    std::shared_ptr<ContextDevice> context_device;
    UsmType type;
    std::shared_ptr<Block> block;
  };

  explicit SharedMemory(Parts parts) : parts_(std::make_unique<Parts>(std::move(parts))) {}
  SharedMemory(SharedMemory&&) noexcept = default;
  /// Destroying each part calls the runtime.
  ~SharedMemory() {
    if (parts_ != nullptr) ExitGate::Instance().Drop(std::move(parts_));
  }

  const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// JavaScript's reference to memory of a device in a context.
class SyclMemory : public DeviceMemory {
 public:
  static constexpr napi_type_tag kTag{0x5be2d7c4819f4a06u, 0xb86d3e1fa720c95bu};
  using Shared = SharedMemory;
  using Parts = SharedMemory::Parts;

  /// `type`: kUnknown for system memory, which `context_device` can access.
  SyclMemory(Napi::Env env, std::shared_ptr<ContextDevice> context_device, UsmType type,
             std::shared_ptr<Block> block, bool owns)
      : DeviceMemory(env, std::move(block), owns),
        context_device_(std::move(context_device)),
        type_(type) {}
  /// A loan.
  SyclMemory(Napi::Env env, Parts parts)
      : SyclMemory(env, std::move(parts.context_device), parts.type, std::move(parts.block),
                   false) {}
  /// A loan of another thread's memory.
  SyclMemory(Napi::Env env, const SharedMemory& shared) : SyclMemory(env, shared.parts()) {}

  const std::shared_ptr<ContextDevice>& context_device() const { return context_device_; }
  UsmType type() const { return type_; }
  bool is_system() const { return type_ == UsmType::kUnknown; }

  /// This and all functions below require that the memory has not ended.
  Parts parts() const { return {context_device_, type_, ref().block()}; }
  /// Returns the memory for other threads.
  SharedMemory Share() const { return SharedMemory(parts()); }
  /// Whether the memory is this library's. Other memory may end with its thread.
  bool OutlivesThread() const { return allocation() != nullptr; }

 private:
  std::shared_ptr<ContextDevice> context_device_;
  const UsmType type_;
};

}  // namespace array_interface::sycl
