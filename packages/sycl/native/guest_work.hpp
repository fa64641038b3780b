#pragma once

#include <memory>
#include <set>

#include "napi/early_end.hpp"
#include "queue_table.hpp"

namespace array_interface::sycl {

/// Queues of one environment with work on memory that is no USM, which only JavaScript keeps for
/// them: when the environment ends, their work is waited for before other addons free that memory.
class GuestWork {
 public:
  explicit GuestWork(napi_env env) : end_(env, [this] { Wait(); }) {}

  /// Comes before each piece of such work.
  void Expect(const QueueTable::Entry& queue);

 private:
  void Wait();

  EarlyEnd end_;
  /// Gone is who has been waited for: see QueueTable::End.
  std::set<std::weak_ptr<QueueReference>, std::owner_less<>> queues_;
};

}  // namespace array_interface::sycl
