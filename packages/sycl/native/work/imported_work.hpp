#pragma once

#include <memory>
#include <vector>

#include "event.hpp"
#include "napi/early_end.hpp"

namespace array_interface::sycl {

/// Work of one environment on memory that is not USM, which only JavaScript keeps. When the
/// environment ends, it waits for this work before other addons free that memory.
class ImportedWork {
 public:
  explicit ImportedWork(napi_env env) : end_(env, [this] { Wait(); }) {}

  /// Call before each piece of such work.
  void Expect() { end_.Renew(); }
  /// Call after it. The work ends at `event`.
  void Note(std::shared_ptr<Event> event);

 private:
  void Wait() noexcept;

  EarlyEnd end_;
  std::vector<std::shared_ptr<Event>> events_;
};

}  // namespace array_interface::sycl
