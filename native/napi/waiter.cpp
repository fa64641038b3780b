#include "napi/waiter.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace array_interface {

namespace {

// Looks without a pause first, since most copies are short; then the pause doubles.
constexpr int kEagerLooks = 64;
constexpr std::chrono::microseconds kShortestPause{20};
constexpr std::chrono::microseconds kLongestPause{1000};

}  // namespace

Waiter::Waiter(Napi::Env env) : notify_(Notify::New(env, "array-interface waiter", 0, 1, this)) {
  notify_.Unref(env);
  // Hooks run last in, first out: the thread ends before the function that it calls is torn down.
  env.AddCleanupHook([](Waiter* waiter) { waiter->Stop(); }, this);
}

Waiter::~Waiter() { Stop(); }

void Waiter::Stop() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Napi::Promise Waiter::Wait(Napi::Env env, std::function<Poll()> look) {
  const std::uint64_t id = next_id_++;
  auto deferred = Napi::Promise::Deferred::New(env);
  {
    std::lock_guard lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
    arrived_.push_back({id, std::move(look)});
  }
  if (promises_.empty()) notify_.Ref(env);
  promises_.emplace(id, deferred);
  changed_.notify_all();
  return deferred.Promise();
}

void Waiter::Run() {
  int looks = 0;
  auto pause = kShortestPause;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      const auto woken = [this] { return ending_ || !arrived_.empty(); };
      if (pending_.empty()) {
        changed_.wait(lock, woken);
      } else if (looks > kEagerLooks) {
        changed_.wait_for(lock, pause, woken);
        pause = std::min(pause * 2, kLongestPause);
      }
      if (ending_) return;
      if (!arrived_.empty()) {
        looks = 0;
        pause = kShortestPause;
      }
      for (auto& arrival : arrived_) pending_.push_back(std::move(arrival));
      arrived_.clear();
    }
    ++looks;
    auto settled = LookAtAll();
    if (settled.empty()) {
      std::this_thread::yield();
      continue;
    }
    std::lock_guard lock(mutex_);
    for (auto& one : settled) settled_.push_back(std::move(one));
    notify_.NonBlockingCall();
  }
}

std::vector<Waiter::Settled> Waiter::LookAtAll() {
  std::vector<Settled> settled;
  auto waits = [&settled](Pending& pending) {
    Poll poll = pending.look();
    if (poll.done) settled.push_back({pending.id, std::move(poll.failure)});
    return !poll.done;
  };
  pending_.erase(std::stable_partition(pending_.begin(), pending_.end(), waits), pending_.end());
  return settled;
}

void Waiter::OnNotify(Napi::Env env, Napi::Function, Waiter* waiter, void*) {
  const bool is_torn_down = static_cast<napi_env>(env) == nullptr;
  if (!is_torn_down) waiter->Settle(env);
}

void Waiter::Settle(Napi::Env env) {
  std::vector<Settled> settled;
  {
    std::lock_guard lock(mutex_);
    settled.swap(settled_);
  }
  for (const auto& one : settled) {
    auto found = promises_.find(one.id);
    if (found == promises_.end()) continue;
    auto deferred = found->second;
    promises_.erase(found);
    if (one.failure) {
      deferred.Reject(MakeError(env, *one.failure).Value());
    } else {
      deferred.Resolve(env.Undefined());
    }
  }
  if (promises_.empty()) notify_.Unref(env);
}

}  // namespace array_interface
