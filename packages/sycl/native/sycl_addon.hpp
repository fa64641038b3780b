#pragma once

#include <memory>

#include "background.hpp"
#include "error_feed.hpp"
#include "guest_work.hpp"
#include "napi/addon.hpp"

namespace array_interface::sycl {

/// What this addon keeps for one environment. It tells the background thread how long JavaScript
/// may use the runtime.
class SyclAddon : public Addon {
 public:
  SyclAddon(Napi::Env env, Napi::Function error_class) : Addon(env, error_class), guest_work_(env) {
    Background::Instance().Enter();
  }
  ~SyclAddon() override {
    feed_ = nullptr;
    Background::Instance().Leave();
  }

  static SyclAddon& Of(Napi::Env env) { return static_cast<SyclAddon&>(Addon::Of(env)); }

  void Listen(Napi::Env env, Napi::Function listener) {
    if (feed_ == nullptr) feed_ = std::make_unique<ErrorFeed>(env, listener);
  }

  GuestWork& guest_work() { return guest_work_; }

 private:
  std::unique_ptr<ErrorFeed> feed_;
  GuestWork guest_work_;
};

}  // namespace array_interface::sycl
