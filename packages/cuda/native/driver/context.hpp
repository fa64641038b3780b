#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "driver/abi.hpp"

namespace array_interface::cuda {

/// A context of a device: its primary one, retained once and kept for the life of the process, or
/// the one of a foreign stream, which is only used. None is ever created here, so that memory is
/// shared with everybody else in the process.
class Context {
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

  /// Our kernel for a copy unit; its module is compiled at first use, which nobody else waits for,
  /// and stays. Only primary contexts are given kernels. Throws DriverError.
  FunctionHandle Kernel(std::uint32_t unit);
  /// Our kernel that converts numbers, likewise.
  FunctionHandle ConvertKernel();
  /// Our kernel that copies by tiles, likewise; the driver compiles one for each conversion.
  FunctionHandle BlockKernel(std::uint32_t conversion);
  /// The same kernel where it is compiled already; null otherwise.
  FunctionHandle KnownBlockKernel(std::uint32_t conversion);

  /// Bytes that rows of the driver's own copies may be apart. Throws DriverError.
  std::int64_t MaximumPitch();

  /// Lets kernels of this context reach another device's memory; false where the devices cannot.
  /// Throws DriverError.
  bool Reach(int other_device);

 private:
  Context(ContextHandle handle, int device, bool is_primary)
      : handle_(handle), device_(device), is_primary_(is_primary) {}

  using Kernels = std::map<std::string, FunctionHandle>;

  FunctionHandle Known(const std::string& kernel);  ///< null: none yet
  bool Keep(const Kernels& made);

  ContextHandle handle_;
  int device_;
  bool is_primary_;
  std::mutex mutex_;  ///< of the maps; never held while the driver compiles
  Kernels kernels_;   ///< by their names, and what they are specialised for
  std::map<int, bool> reached_;
  std::atomic<std::int64_t> maximum_pitch_{0};
};

/// Makes a context current for the calling thread, and the caller's own again at its end. So long
/// our calls do not break a capture into a graph that somebody has begun, which in the driver's
/// default mode most calls of any thread do.
class ContextScope {
 public:
  explicit ContextScope(const Context& context);
  explicit ContextScope(ContextHandle context);
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
  ~ContextScope();

 private:
  void ExchangeCaptureMode() noexcept;

  CaptureMode capture_mode_ = kCaptureRelaxed;
  bool pushed_;
};

}  // namespace array_interface::cuda
