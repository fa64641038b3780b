#pragma once

#include <functional>
#include <utility>

#include "napi/setup.hpp"

namespace array_interface {

/// Has something done when an environment ends, while all that addons gave to JavaScript before the
/// last Renew is still there. Hooks run last in, first out; an addon's objects go with a hook from
/// its loading, or when its handles are closed, after all hooks. Part of an addon's instance data,
/// which stays until then.
class EarlyEnd {
 public:
  /// `at_end` runs on the JavaScript thread and must not throw; never without a Renew.
  EarlyEnd(napi_env env, std::function<void()> at_end) : env_(env), at_end_(std::move(at_end)) {}
  EarlyEnd(const EarlyEnd&) = delete;
  EarlyEnd& operator=(const EarlyEnd&) = delete;

  /// Takes some hundred nanoseconds.
  void Renew() {
    if (is_added_) napi_remove_env_cleanup_hook(env_, &EarlyEnd::Run, this);
    is_added_ = napi_add_env_cleanup_hook(env_, &EarlyEnd::Run, this) == napi_ok;
  }

 private:
  static void Run(void* self) { static_cast<EarlyEnd*>(self)->at_end_(); }

  napi_env env_;
  std::function<void()> at_end_;
  bool is_added_ = false;
};

}  // namespace array_interface
