#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "allocation.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// One JavaScript object's share of an allocation. It ends by `release`, or by garbage collection;
/// V8 is told how much memory it keeps.
class Lease {
 public:
  static constexpr napi_type_tag kTag = {0x9c1d5f3a7b2e4680, 0xb54e21d7c8f90a36};

  Lease(Napi::Env env, std::shared_ptr<Allocation> allocation)
      : env_(env), allocation_(std::move(allocation)) {
    Report(static_cast<std::int64_t>(allocation_->size()));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() { Release(); }

  void Release() {
    if (allocation_ == nullptr) return;
    Report(-static_cast<std::int64_t>(allocation_->size()));
    allocation_ = nullptr;
  }

 private:
  void Report(std::int64_t change) {
    std::int64_t total = 0;
    napi_adjust_external_memory(env_, change, &total);
  }

  napi_env env_;
  std::shared_ptr<Allocation> allocation_;
};

}  // namespace array_interface
