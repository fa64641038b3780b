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

/// The result of a look at an event.
struct PollResult {
  bool done = false;
  std::optional<Failure> failure;  ///< set together with `done`
};

/// Settles promises when events are complete. One thread for each environment looks at them, often
/// at first and then less often, and never blocks in the driver. Only a pending wait keeps the
/// process alive.
class PromiseSettler {
 public:
  explicit PromiseSettler(Napi::Env env);
  PromiseSettler(const PromiseSettler&) = delete;
  PromiseSettler& operator=(const PromiseSettler&) = delete;
  /// Promises that are still pending never settle: the environment is gone.
  ~PromiseSettler() = default;

  /// A promise that settles once `look` says done. The waiter's thread, an BackgroundThread, calls
  /// `look`, which owns what it looks at and must neither block nor throw. Waits that end in the
  /// order in which they began name the same `queue`; then only the first is looked at. The queue's
  /// address is only compared, so `look` must keep it alive. Null: no order.
  Napi::Promise Wait(Napi::Env env, std::function<PollResult()> look, const void* queue = nullptr);

 private:
  struct Settled {
    std::uint64_t id = 0;
    std::optional<Failure> failure;
  };

  static void OnNotify(Napi::Env env, Napi::Function, PromiseSettler* settler, void*);
  using Notify = Napi::TypedThreadSafeFunction<PromiseSettler, void, OnNotify>;

  bool Look(std::uint64_t id, const std::function<PollResult()>& look);
  void Settle(Napi::Env env);

  Notify notify_;
  std::unordered_map<std::uint64_t, Napi::Promise::Deferred> promises_;  // JS thread only
  std::uint64_t next_id_ = 1;                                            // JS thread only

  std::mutex mutex_;
  std::vector<Settled> settled_;
  Poller poller_;  // ends first, for its thread uses the others
};

}  // namespace array_interface
