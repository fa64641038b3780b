#pragma once

#include <memory>

#include "napi/setup.hpp"

namespace array_interface::sycl {

/// Tells one environment's listener of errors that reject no promise. It lives as long as that
/// environment, and keeps no process alive.
class ErrorFeed {
 public:
  /// `listener` gets a code for each; called on the JavaScript thread.
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
