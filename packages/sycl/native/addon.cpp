#include "napi/addon.hpp"

#include <memory>

#include "background.hpp"
#include "bind.hpp"
#include "error_feed.hpp"

namespace array_interface::sycl {

namespace {

/// Instance data that tells the background thread how long JavaScript may use the runtime.
class SyclAddon : public Addon {
 public:
  SyclAddon(Napi::Env env, Napi::Function error_class) : Addon(env, error_class) {
    Background::Instance().Enter();
  }
  ~SyclAddon() override {
    feed_ = nullptr;
    Background::Instance().Leave();
  }

  void Listen(Napi::Env env, Napi::Function listener) {
    if (feed_ == nullptr) feed_ = std::make_unique<ErrorFeed>(env, listener);
  }

 private:
  std::unique_ptr<ErrorFeed> feed_;
};

/// initialize(ArrayInterfaceError): comes first, once for each environment.
Napi::Value Initialize(const Napi::CallbackInfo& info) {
  if (!info[0].IsFunction()) throw Napi::TypeError::New(info.Env(), "expected the error class");
  if (info.Env().GetInstanceData<Addon>() == nullptr) {
    Addon::Install(info.Env(),
                   std::make_unique<SyclAddon>(info.Env(), info[0].As<Napi::Function>()));
  }
  return info.Env().Undefined();
}

/// listen(listener): has it called with the code of each error that no promise carries; the first
/// one of an environment stays.
Napi::Value Listen(const Napi::CallbackInfo& info) {
  if (!info[0].IsFunction()) {
    throw SyclError("ERR_TYPE", "listener", "expected a function, got another value");
  }
  static_cast<SyclAddon&>(Addon::Of(info.Env())).Listen(info.Env(), info[0].As<Napi::Function>());
  return info.Env().Undefined();
}

Napi::Object Load(Napi::Env env, Napi::Object exports) {
  exports["initialize"] = Napi::Function::New<Initialize>(env, "initialize");
  Export<Listen>(exports, "listen");
  BindRuntime(exports);
  BindQueue(exports);
  BindMemory(exports);
  return exports;
}

}  // namespace

}  // namespace array_interface::sycl

static Napi::Object InitializeModule(Napi::Env env, Napi::Object exports) {
  return array_interface::sycl::Load(env, exports);
}

NODE_API_MODULE(sycl, InitializeModule)
