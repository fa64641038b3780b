#pragma once

#include "driver/abi.hpp"
#include "driver/driver_error.hpp"
#include "threads/background_thread.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::cuda {

template <class Signature>
class EntryPoint;

/// One function of the driver. A call throws DriverError unless it succeeds, and also if the driver
/// lacks the function: a null pointer is never called.
template <class... Parameters>
class EntryPoint<Result(Parameters...)> {
 public:
  EntryPoint(const char* name, const char* symbol, int version)
      : name(name), symbol(symbol), version(version) {}

  void operator()(Parameters... arguments) const {
    const Result result = Try(arguments...);
    if (result != kSuccess) throw DriverError(result, name);
  }

  /// Returns the raw result. Throws only if the driver lacks the function. While the process exits,
  /// makes no call and returns what a deinitialised driver returns. On background threads, each
  /// call passes the exit gate. Other threads, which may release resources late, only check the
  /// gate.
  Result Try(Parameters... arguments) const {
    if (function_ == nullptr) throw DriverError::Missing(name);
    Result result = kDeinitialized;
    if (!BackgroundThread::IsThis()) {
      return ExitGate::Instance().is_closed() ? result : function_(arguments...);
    }
    ExitGate::Instance().Pass([&] { result = function_(arguments...); });
    return result;
  }

  bool IsBound() const { return function_ != nullptr; }

  void Bind(void* function) { function_ = reinterpret_cast<Function>(function); }

  const char* const name;
  const char* const symbol;
  const int version;

 private:
  using Function = Result (*)(Parameters...);
  Function function_ = nullptr;
};

}  // namespace array_interface::cuda
