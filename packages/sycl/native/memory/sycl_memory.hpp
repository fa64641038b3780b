#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "driver/context_device.hpp"
#include "memory/memory_ref.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

/// The parts of a memory that a reference in another thread needs.
class SharedMemory {
 public:
  struct Parts {
    std::shared_ptr<ContextDevice> context_device;
    UsmType type;
    std::shared_ptr<Block> block;
  };

  explicit SharedMemory(Parts parts) : parts_(std::make_unique<Parts>(std::move(parts))) {}
  SharedMemory(SharedMemory&&) noexcept = default;
  SharedMemory& operator=(SharedMemory&&) = delete;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  /// Destroying each part calls the runtime.
  ~SharedMemory();

  const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// The reference of one JavaScript memory to a block. It ends in the same way by disposal and by
/// garbage collection. Used and destroyed on one thread.
class SyclMemory {
 public:
  static constexpr napi_type_tag kTag{0x5be2d7c4819f4a06u, 0xb86d3e1fa720c95bu};

  /// `type`: kUnknown for system memory, which `context_device` can access. `owns`: once this has
  /// ended, nothing else can borrow the block; JavaScript is told of its bytes.
  SyclMemory(Napi::Env env, std::shared_ptr<ContextDevice> context_device, UsmType type,
             std::shared_ptr<Block> block, bool owns);
  // NOLINTNEXTLINE(bugprone-exception-escape): what has not ended throws nothing
  ~SyclMemory() { End(); }
  SyclMemory(const SyclMemory&) = delete;
  SyclMemory& operator=(const SyclMemory&) = delete;

  /// Throws SyclError ERR_DISPOSED once ended.
  MemoryRef& ref();
  const std::shared_ptr<Block>& block() { return ref().block(); }
  const std::shared_ptr<ContextDevice>& context_device() const { return context_device_; }
  UsmType type() const { return type_; }
  bool is_system() const { return type_ == UsmType::kUnknown; }

  /// Releases the block, once.
  void End();

 private:
  void Report(std::int64_t bytes);

  napi_env env_;
  std::shared_ptr<ContextDevice> context_device_;
  const UsmType type_;
  MemoryRef ref_;
};

}  // namespace array_interface::sycl
