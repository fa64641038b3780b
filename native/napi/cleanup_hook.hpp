#pragma once

#include <functional>
#include <utility>

#include "napi/setup.hpp"

namespace array_interface {

/// Calls a function when an environment ends, while all objects that addons gave to JavaScript
/// before the last Renew are still there. Hooks run last in, first out. An addon's objects go with
/// a hook of its loading, or when its handles are closed, after all hooks. It is part of an addon's
/// instance data, which stays until then.
class CleanupHook {
 public:
  /// `at_end` runs on the JavaScript thread and must not throw. It never runs without a Renew.
  CleanupHook(napi_env env, std::function<void()> at_end) : env_(env), at_end_(std::move(at_end)) {}
  CleanupHook(const CleanupHook&) = delete;
  CleanupHook& operator=(const CleanupHook&) = delete;

  /// Takes some hundred nanoseconds.
  void Renew() {
    if (is_added_) napi_remove_env_cleanup_hook(env_, &CleanupHook::Run, this);
    is_added_ = napi_add_env_cleanup_hook(env_, &CleanupHook::Run, this) == napi_ok;
  }

 private:
  static void Run(void* self) { static_cast<CleanupHook*>(self)->at_end_(); }

  napi_env env_;
  std::function<void()> at_end_;
  bool is_added_ = false;
};

}  // namespace array_interface
