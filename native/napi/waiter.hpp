#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "napi/failure.hpp"
#include "napi/setup.hpp"
#include "threads/poller.hpp"

namespace array_interface {

/// What a look at an event found.
struct Poll {
  bool done = false;
  std::optional<Failure> failure;  ///< set together with `done`
};

/// Settles promises when events are reached: one thread for each environment looks at them, often
/// at first and then less often, and never blocks in the driver. A pending wait keeps the process
/// alive; nothing else does.
class Waiter {
 public:
  explicit Waiter(Napi::Env env);
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  /// Promises still pending are never settled: the environment is gone.
  ~Waiter() = default;

  /// A promise that settles once `look` says done. `look` is called on the waiter's thread, which
  /// is an OwnThread, owns what it looks at, and must neither block nor throw. What is done in the
  /// order in which it is waited for names the same `queue`: then the first alone is looked at.
  /// Only the address counts; `look` keeps alive what is there. Null: no order.
  Napi::Promise Wait(Napi::Env env, std::function<Poll()> look, const void* queue = nullptr);

 private:
  struct Settled {
    std::uint64_t id = 0;
    std::optional<Failure> failure;
  };

  static void OnNotify(Napi::Env env, Napi::Function, Waiter* waiter, void*);
  using Notify = Napi::TypedThreadSafeFunction<Waiter, void, OnNotify>;

  bool Look(std::uint64_t id, const std::function<Poll()>& look);
  void Settle(Napi::Env env);

  Notify notify_;
  std::unordered_map<std::uint64_t, Napi::Promise::Deferred> promises_;  // JS thread only
  std::uint64_t next_id_ = 1;                                            // JS thread only

  std::mutex mutex_;
  std::vector<Settled> settled_;
  Poller poller_;  // ends first, for its thread uses the others
};

}  // namespace array_interface
