#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "calls/cancellation.hpp"
#include "calls/javascript_thread.hpp"
#include "calls/outcome.hpp"
#include "interpreter/reference.hpp"
#include "napi/setup.hpp"
#include "objects/arguments.hpp"

namespace array_interface {

/// A call of a Python object on another thread, whose result settles a promise.
class Run : public std::enable_shared_from_this<Run> {
 public:
  static constexpr napi_type_tag kTag{0x6b1f0de29c5a4783, 0xb85d1c7e46f2903a};

  /// The thread must be attached.
  Run(Napi::Env env, Reference callable, Arguments arguments);

  /// Hands this object to the thread of a name, or to the pool if that is empty. The promise keeps
  /// the process alive. Throws std::system_error if no thread can be started. Must be called on the
  /// JavaScript thread, attached.
  Napi::Promise Start(Napi::Env env, const std::string& thread);

  /// Makes the call, on the thread that took it, unless it was cancelled before.
  void Work();

  /// Raises KeyboardInterrupt in its code; at once if that has not begun. Must be called on the
  /// JavaScript thread, attached or not.
  void Cancel();

 private:
  Outcome Call();
  void Drop();
  void Finish(Outcome outcome);
  void Settle(Napi::Env env, Outcome outcome);

  const std::shared_ptr<JavaScriptThread> thread_;
  Cancellation cancellation_;
  std::uint64_t at_end_ = 0;
  std::optional<Napi::Promise::Deferred> deferred_;  ///< on the JavaScript thread only
  Reference callable_;                               ///< these two on an attached thread only
  std::unique_ptr<Arguments> arguments_;
};

}  // namespace array_interface
