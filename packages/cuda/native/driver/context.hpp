#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "driver/abi.hpp"
#include "driver/kernels.hpp"

namespace array_interface::cuda {

/// A context of a device: its primary one, retained once and kept for the life of the process, or a
/// foreign stream's, which is only used. We create no context, so that we share memory with all
/// code in the process.
class Context : public std::enable_shared_from_this<Context> {
 public:
  /// The primary context of a device. Throws DriverError.
  static std::shared_ptr<Context> Primary(int device);
  /// The context behind a handle that the driver gave; a primary one is recognised.
  static std::shared_ptr<Context> Of(ContextHandle handle);

  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  ContextHandle handle() const { return handle_; }
  int device() const { return device_; }
  bool is_primary() const { return is_primary_; }

  /// Throws DriverError where other code has reset this primary context. What was made in it is
  /// gone, also where it has begun a new life with the same handle.
  void AssertAlive() const;
  /// Whether AssertAlive has found it gone.
  bool is_gone() const { return is_gone_; }

  /// Only primary contexts have kernels.
  Kernels& kernels() { return kernels_; }

  /// The longest distance of rows in the driver's own copies, in bytes. Throws DriverError.
  std::int64_t MaximumPitch();

  /// Lets kernels of this context reach another device's memory. False: the devices cannot, or the
  /// driver refuses. Throws DriverError.
  bool Reach(int other_device);

 private:
  Context(ContextHandle handle, int device, bool is_primary, std::uint64_t life)
      : handle_(handle), device_(device), is_primary_(is_primary), life_(life) {}

  ContextHandle handle_;
  int device_;
  bool is_primary_;
  std::uint64_t life_;  ///< of a primary context, as the driver numbers them
  mutable std::atomic<bool> is_gone_{false};
  Kernels kernels_{*this};
  std::mutex mutex_;  ///< of reached_
  std::map<int, bool> reached_;
  std::atomic<std::int64_t> maximum_pitch_{0};
};

/// Makes a context current for the calling thread, and restores the caller's at its end. Meanwhile
/// our calls do not break a capture into a graph that another library has begun; in the driver's
/// default mode most calls of any thread do. A scope within another of the same context makes no
/// call. On an BackgroundThread, where it disturbs nobody, a primary context stays current: the
/// next scope of it makes no call.
class ContextScope {
 public:
  explicit ContextScope(const Context& context);
  /// For a context that may end before its handle is seen again. It never stays current.
  explicit ContextScope(ContextHandle context);
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
  ~ContextScope();

 private:
  void Enter(ContextHandle context);
  void Stay(ContextHandle context);
  void ExchangeCaptureMode() noexcept;

  CaptureMode capture_mode_ = kCaptureRelaxed;
  ContextHandle outer_;
  ContextHandle before_ = nullptr;  ///< the caller's
  bool is_nested_;
  bool stays_ = false;
  bool pushed_ = false;
};

/// Has a context current while others' code runs, and restores the caller's at its end, even where
/// that code has made another one current. Calls of ours that it makes look at what is current.
class ContextForOthers {
 public:
  /// Throws DriverError.
  explicit ContextForOthers(const Context& context);
  ContextForOthers(const ContextForOthers&) = delete;
  ContextForOthers& operator=(const ContextForOthers&) = delete;
  ~ContextForOthers();

 private:
  ContextHandle outer_;
  ContextHandle before_ = nullptr;  ///< the caller's
};

}  // namespace array_interface::cuda
