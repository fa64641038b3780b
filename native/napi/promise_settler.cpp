#include "napi/promise_settler.hpp"

#include <utility>

namespace array_interface {

PromiseSettler::PromiseSettler(Napi::Env env)
    : notify_(Notify::New(env, "array-interface waiter", 0, 1, this)),
      poller_([this] { notify_.NonBlockingCall(); }) {
  notify_.Unref(env);
  // Hooks run last in, first out, so the poller's thread ends before the thread-safe function that
  // it calls is torn down.
  env.AddCleanupHook([](PromiseSettler* settler) { settler->poller_.Stop(); }, this);
}

Napi::Promise PromiseSettler::Wait(Napi::Env env, std::function<PollResult()> poll,
                                   const void* queue) {
  const std::uint64_t id = next_id_++;
  auto deferred = Napi::Promise::Deferred::New(env);
  poller_.Add(queue, [this, id, poll = std::move(poll)] { return Poll(id, poll); });
  if (promises_.empty()) notify_.Ref(env);
  promises_.emplace(id, deferred);
  return deferred.Promise();
}

/// Runs on the poller's thread.
bool PromiseSettler::Poll(std::uint64_t id, const std::function<PollResult()>& poll) {
  PollResult result = poll();
  if (!result.done) return false;
  const std::lock_guard lock(mutex_);
  settled_.push_back({id, std::move(result.failure)});
  return true;
}

void PromiseSettler::OnNotify(Napi::Env env, Napi::Function, PromiseSettler* settler, void*) {
  const bool is_torn_down = static_cast<napi_env>(env) == nullptr;
  if (!is_torn_down) settler->Settle(env);
}

void PromiseSettler::Settle(Napi::Env env) {
  std::vector<Settled> settled;
  {
    const std::lock_guard lock(mutex_);
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
