#include "sycl_memory.hpp"

#include <utility>

#include "driver/sycl_error.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

SharedMemory::~SharedMemory() {
  if (parts_ != nullptr) ExitGate::Instance().Drop(std::move(parts_));
}

SyclMemory::SyclMemory(Napi::Env env, std::shared_ptr<ContextDevice> context_device, UsmType type,
                       std::shared_ptr<Block> block, bool owns)
    : env_(env),
      context_device_(std::move(context_device)),
      type_(type),
      ref_(std::move(block), owns) {
  if (owns) Report(static_cast<std::int64_t>(ref_.block()->allocation()->size()));
}

MemoryRef& SyclMemory::ref() {
  if (!ref_.ended()) return ref_;
  throw SyclError("ERR_DISPOSED", "memory", "expected live memory, got memory that was released");
}

void SyclMemory::End() {
  if (ref_.ended()) return;
  if (ref_.owns()) Report(-static_cast<std::int64_t>(ref_.block()->allocation()->size()));
  ref_.End();
}

void SyclMemory::Report(std::int64_t bytes) {
  std::int64_t total = 0;
  napi_adjust_external_memory(env_, bytes, &total);
}

}  // namespace array_interface::sycl
