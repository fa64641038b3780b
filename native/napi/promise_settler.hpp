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

/// The result of polling an event.
struct PollResult {
  bool done = false;
  std::optional<Failure> failure;  ///< set together with `done`
};

/// Settles promises when events complete. One thread for each environment polls them, at short
/// intervals first and at longer ones later, and never blocks in the driver. Only a pending promise
/// keeps the process alive.
class PromiseSettler {
 public:
  explicit PromiseSettler(Napi::Env env);
  /// Promises that are still pending never settle, since the environment has ended.
  ~PromiseSettler() = default;

  /// Returns a promise that settles once `poll` returns done. The poller's thread, a
  /// BackgroundThread, calls `poll`, which must own what it polls, and must neither block nor
  /// throw. Waits that usually end in the order in which they began name the same `queue`, so that
  /// mostly the first one is polled. The queue's address is only compared, so `poll` must keep the
  /// queue alive. Null if there is no order.
  Napi::Promise Wait(Napi::Env env, std::function<PollResult()> poll, const void* queue = nullptr);

 private:
  struct Settled {
    std::uint64_t id = 0;
    std::optional<Failure> failure;
  };

  static void OnNotify(Napi::Env env, Napi::Function, PromiseSettler* settler, void*);
  using Notify = Napi::TypedThreadSafeFunction<PromiseSettler, void, OnNotify>;

  bool Poll(std::uint64_t id, const std::function<PollResult()>& poll);
  void Settle(Napi::Env env);

  Notify notify_;
  std::unordered_map<std::uint64_t, Napi::Promise::Deferred> promises_;  // JS thread only
  std::uint64_t next_id_ = 1;                                            // JS thread only

  std::mutex mutex_;
  std::vector<Settled> settled_;
  Poller poller_;  // destroyed first, since its thread uses the other members
};

}  // namespace array_interface
