#include "sycl_memory.hpp"

#include <utility>

#include "driver/sycl_error.hpp"
#include "threads/gate.hpp"

namespace array_interface::sycl {

SharedMemory::~SharedMemory() {
  if (parts_ != nullptr) Gate::Instance().Drop(std::move(parts_));
}

SyclMemory::SyclMemory(Napi::Env env, std::shared_ptr<Place> place, UsmType type,
                       std::shared_ptr<Block> block, bool owns)
    : env_(env), place_(std::move(place)), type_(type), holder_(std::move(block), owns) {
  if (owns) Report(static_cast<std::int64_t>(holder_.block()->allocation()->size()));
}

Holder& SyclMemory::holder() {
  if (!holder_.ended()) return holder_;
  throw SyclError("ERR_DISPOSED", "memory", "expected memory that is held, got it given back");
}

void SyclMemory::End() {
  if (holder_.ended()) return;
  if (holder_.owns()) Report(-static_cast<std::int64_t>(holder_.block()->allocation()->size()));
  holder_.End();
}

void SyclMemory::Report(std::int64_t bytes) {
  std::int64_t total = 0;
  napi_adjust_external_memory(env_, bytes, &total);
}

}  // namespace array_interface::sycl
