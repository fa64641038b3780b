#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "calls/javascript_thread.hpp"
#include "calls/outcome.hpp"
#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// An awaitable of Python's that the loop awaits, and whose outcome settles a promise.
class Awaited : public std::enable_shared_from_this<Awaited> {
 public:
  static constexpr napi_type_tag kTag{0x1f6a83d25b90c47e, 0xe2709b4c6d1583fa};

  explicit Awaited(Napi::Env env) : thread_(JavaScriptThread::Of(env)) {}

  /// Begins. The promise keeps the process alive. Throws PythonError. Must be called on the
  /// JavaScript thread, attached.
  Napi::Promise Begin(Napi::Env env, PyObject* awaitable);

  /// Cancels the coroutine, which may go on. Must be called attached.
  void Cancel();

  /// Python's `done`: takes the outcome of the task, on the loop's thread. Does not block.
  void Finish(PyObject* task);

 private:
  void Settle(Napi::Env env, Outcome outcome);

  const std::shared_ptr<JavaScriptThread> thread_;
  std::uint64_t at_end_ = 0;
  std::shared_ptr<Hold> cancel_;  ///< Python's callable; on the JavaScript thread only
  std::optional<Napi::Promise::Deferred> deferred_;  ///< on the JavaScript thread only
};

/// Adds beginAwait, cancelAwait, isAwaitable and isAsyncIterable to the exports.
void ExportAwaited(Napi::Object exports);

}  // namespace array_interface
