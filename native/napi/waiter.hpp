#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "napi/failure.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// What a look at an event found.
struct Poll {
  bool done = false;
  std::optional<Failure> failure;  ///< set together with `done`
};

/// Settles promises when events are reached: one thread for each environment looks at all pending
/// events, often at first and then less often, and never blocks in the driver. A pending wait keeps
/// the process alive; nothing else does.
class Waiter {
 public:
  explicit Waiter(Napi::Env env);
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  /// Promises still pending are never settled: the environment is gone.
  ~Waiter();

  /// A promise that settles once `look` says done. `look` is called on the waiter's thread, owns
  /// what it looks at, and must neither block nor throw.
  Napi::Promise Wait(Napi::Env env, std::function<Poll()> look);

 private:
  struct Pending {
    std::uint64_t id = 0;
    std::function<Poll()> look;
  };
  struct Settled {
    std::uint64_t id = 0;
    std::optional<Failure> failure;
  };

  static void OnNotify(Napi::Env env, Napi::Function, Waiter* waiter, void*);
  using Notify = Napi::TypedThreadSafeFunction<Waiter, void, OnNotify>;

  void Stop();
  void Run();
  std::vector<Settled> LookAtAll();
  void Settle(Napi::Env env);

  Notify notify_;
  std::unordered_map<std::uint64_t, Napi::Promise::Deferred> promises_;  // JS thread only
  std::uint64_t next_id_ = 1;                                            // JS thread only

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Pending> arrived_;
  std::vector<Settled> settled_;
  bool ending_ = false;
  std::vector<Pending> pending_;  // waiter's thread only
  std::thread thread_;
};

}  // namespace array_interface
