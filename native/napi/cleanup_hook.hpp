#pragma once

#include <functional>
#include <utility>

#include "napi/setup.hpp"

namespace array_interface {

/// Calls a function when an environment ends. All objects that addons had passed to JavaScript
/// before the last Renew still exist then: hooks run last in, first out, and an addon's objects are
/// destroyed by a hook added at its loading, or after all hooks, when its handles are closed. A
/// CleanupHook is a member of an addon's instance data, which is destroyed later.
class CleanupHook {
 public:
  /// `at_end` runs on the JavaScript thread and must not throw. It does not run unless Renew was
  /// called.
  CleanupHook(napi_env env, std::function<void()> at_end) : env_(env), at_end_(std::move(at_end)) {}
  CleanupHook(const CleanupHook&) = delete;
  CleanupHook& operator=(const CleanupHook&) = delete;

  /// Adds the hook, or moves it to run first. Takes a few hundred nanoseconds.
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
