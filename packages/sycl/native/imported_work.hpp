#pragma once

#include <memory>
#include <vector>

#include "event.hpp"
#include "napi/early_end.hpp"

namespace array_interface::sycl {

/// Work of one environment on memory that is no USM, which only JavaScript keeps: when the
/// environment ends, it is waited for before other addons free that memory.
class ImportedWork {
 public:
  explicit ImportedWork(napi_env env) : end_(env, [this] { Wait(); }) {}

  /// Comes before each piece of such work.
  void Expect() { end_.Renew(); }
  /// Comes after it: it ends at `event`.
  void Note(std::shared_ptr<Event> event);

 private:
  void Wait() noexcept;

  EarlyEnd end_;
  std::vector<std::shared_ptr<Event>> events_;
};

}  // namespace array_interface::sycl
