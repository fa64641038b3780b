#pragma once

#include <memory>
#include <vector>

#include "napi/cleanup_hook.hpp"
#include "sycl_event.hpp"

namespace array_interface::sycl {

/// Work of one environment on memory that is not USM, which only JavaScript keeps. When the
/// environment ends, it waits for this work before other addons free that memory.
class ImportedWork {
 public:
  explicit ImportedWork(napi_env env) : end_(env, [this] { Wait(); }) {}

  /// Must be called before each piece of such work.
  void Expect() { end_.Renew(); }
  /// Must be called after the work was enqueued. The work ends with `event`.
  void Note(std::shared_ptr<SyclEvent> event);

 private:
  void Wait() noexcept;

  CleanupHook end_;
  std::vector<std::shared_ptr<SyclEvent>> events_;
};

}  // namespace array_interface::sycl
