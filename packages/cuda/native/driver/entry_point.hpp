#pragma once

#include "driver/abi.hpp"
#include "driver/driver_error.hpp"
#include "threads/gate.hpp"
#include "threads/own_thread.hpp"

namespace array_interface::cuda {

template <class Signature>
class EntryPoint;

/// One function of the driver. A call throws DriverError unless it succeeds, also when the driver
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

  /// Gives the result as it is. Throws only where the driver lacks the function. On threads of ours
  /// each call passes the gate: while the process exits there is none, and the result is what a
  /// driver gives that has ended.
  Result Try(Parameters... arguments) const {
    if (function_ == nullptr) throw DriverError::Missing(name);
    if (!OwnThread::IsThis()) return function_(arguments...);
    Result result = kDeinitialized;
    Gate::Instance().Pass([&] { result = function_(arguments...); });
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
