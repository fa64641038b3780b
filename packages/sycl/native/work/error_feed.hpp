#pragma once

#include <memory>

#include "napi/setup.hpp"

namespace array_interface::sycl {

/// Forwards errors that reject no promise to one environment's listener. Lives as long as that
/// environment, and does not keep the process alive.
class ErrorFeed {
 public:
  /// Calls `listener` with the code of each error, on the JavaScript thread.
  ErrorFeed(Napi::Env env, Napi::Function listener);
  ~ErrorFeed() { Stop(); }
  ErrorFeed(const ErrorFeed&) = delete;
  ErrorFeed& operator=(const ErrorFeed&) = delete;

 private:
  static void OnError(Napi::Env env, Napi::Function listener, std::nullptr_t*, int* code);
  using Notify = Napi::TypedThreadSafeFunction<std::nullptr_t, int, OnError>;

  void Stop() { subscription_ = nullptr; }

  Notify notify_;
  std::shared_ptr<void> subscription_;
};

}  // namespace array_interface::sycl
