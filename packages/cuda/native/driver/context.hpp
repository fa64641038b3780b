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
/// foreign stream's, which is only used. This library creates no context, so it shares memory with
/// all code in the process.
class Context : public std::enable_shared_from_this<Context> {
 public:
  /// Returns the primary context of a device. Throws DriverError.
  static std::shared_ptr<Context> Primary(int device);
  /// Returns the context of a driver handle. Recognises primary contexts.
  static std::shared_ptr<Context> Of(ContextHandle handle);

  ContextHandle handle() const { return handle_; }
  int device() const { return device_; }
  bool is_primary() const { return is_primary_; }

  /// Throws DriverError if other code has reset this primary context. Everything that was created
  /// in it is gone, even if the context has been activated again with the same handle.
  void AssertAlive() const;
  /// Whether AssertAlive has found it reset.
  bool is_gone() const { return is_gone_; }

  /// Only primary contexts have kernels.
  Kernels& kernels() { return kernels_; }

  /// Returns the maximum pitch of the driver's own copies, in bytes. Throws DriverError.
  std::int64_t MaximumPitch();

  /// Enables kernels of this context to access another device's memory. Returns false if the
  /// devices do not support it or the driver refuses. Throws DriverError.
  bool Reach(int other_device);

 private:
  Context(ContextHandle handle, int device, bool is_primary, std::uint64_t life)
      : handle_(handle), device_(device), is_primary_(is_primary), life_(life) {}

  ContextHandle handle_;
  int device_;
  bool is_primary_;
  std::uint64_t life_;  ///< the driver's id of a primary context's incarnation
  mutable std::atomic<bool> is_gone_{false};
  Kernels kernels_{*this};
  std::mutex mutex_;  ///< guards reached_
  std::map<int, bool> reached_;
  std::atomic<std::int64_t> maximum_pitch_{0};
};

/// Makes a context current on the calling thread, and restores the caller's context at its end.
/// Inside the scope, driver calls do not break a graph capture that another library has begun; in
/// the driver's default mode, most calls of any thread do. A nested scope of the same context makes
/// no driver call. On a BackgroundThread, where nobody else is affected, a primary context stays
/// current, so the next scope of it makes no driver call.
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

/// Makes a context current while other libraries' code runs. Restores the caller's context at its
/// end, even if that code has made another one current. Calls into this library from that code
/// query the current context.
class ContextForExternalWork {
 public:
  /// Throws DriverError.
  explicit ContextForExternalWork(const Context& context);
  ContextForExternalWork(const ContextForExternalWork&) = delete;
  ContextForExternalWork& operator=(const ContextForExternalWork&) = delete;
  ~ContextForExternalWork();

 private:
  ContextHandle outer_;
  ContextHandle before_ = nullptr;  ///< the caller's
};

}  // namespace array_interface::cuda
