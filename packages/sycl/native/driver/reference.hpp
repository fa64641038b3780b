#pragma once

#include <utility>

#include "dpctl.hpp"

namespace array_interface::sycl {

/// Owns one reference from the C library. `Delete` is the function that releases it.
template <auto Delete>
class Reference {
 public:
  Reference() = default;
  Reference(const Dpctl& dpctl, void* raw) : dpctl_(&dpctl), raw_(raw) {}
  Reference(Reference&& other) noexcept
      : dpctl_(other.dpctl_), raw_(std::exchange(other.raw_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(dpctl_, other.dpctl_);
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Reference() {
    if (raw_ == nullptr) return;
    try {
      (dpctl_->*Delete)(raw_);
    } catch (...) {
      // It leaks, since no caller is left to receive the error.
    }
  }

  void* get() const { return raw_; }
  /// Never releases the reference.
  void Leak() { raw_ = nullptr; }
  explicit operator bool() const { return raw_ != nullptr; }

 private:
  const Dpctl* dpctl_ = nullptr;
  void* raw_ = nullptr;
};

using DeviceReference = Reference<&Dpctl::Device_Delete>;
using DeviceVectorReference = Reference<&Dpctl::DeviceVector_Delete>;
using SelectorReference = Reference<&Dpctl::DeviceSelector_Delete>;
using ContextReference = Reference<&Dpctl::Context_Delete>;
using QueueReference = Reference<&Dpctl::Queue_Delete>;
using EventReference = Reference<&Dpctl::Event_Delete>;
using KernelBundleReference = Reference<&Dpctl::KernelBundle_Delete>;
using KernelReference = Reference<&Dpctl::Kernel_Delete>;
using StructReference = Reference<&Dpctl::RawKernelArg_Delete>;

}  // namespace array_interface::sycl
