#include "error_feed.hpp"

#include "driver/async_error.hpp"

namespace array_interface::sycl {

ErrorFeed::ErrorFeed(Napi::Env env, Napi::Function listener)
    : notify_(Notify::New(env, listener, "array-interface errors", 0, 1)) {
  notify_.Unref(env);
  subscription_ = SubscribeToAsyncErrors([this](int code) {
    auto* sent = new int(code);
    if (notify_.NonBlockingCall(sent) != napi_ok) delete sent;
  });
  // Cleanup hooks run last in, first out, so the subscription ends before the function is torn
  // down.
  env.AddCleanupHook([](ErrorFeed* feed) { feed->Stop(); }, this);
}

void ErrorFeed::OnError(Napi::Env env, Napi::Function listener, std::nullptr_t*, int* code) {
  const std::unique_ptr<int> owned(code);
  const bool is_torn_down = static_cast<napi_env>(env) == nullptr;
  if (!is_torn_down) listener.Call({Napi::Number::New(env, *owned)});
}

}  // namespace array_interface::sycl
