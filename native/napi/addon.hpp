#pragma once

#include <memory>
#include <utility>

#include "library/library.hpp"
#include "napi/promise_settler.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The data of an addon for one environment (the main thread or a worker). It is destroyed with the
/// environment. Each addon derives its own class.
class Addon {
 public:
  Addon(Napi::Env env, Napi::Function error_class)
      : error_class_(Napi::Persistent(error_class)),
        settler_(std::make_unique<PromiseSettler>(env)) {}
  virtual ~Addon() = default;

  /// Returns the data of this environment. Throws if `initialize` has not been called.
  static Addon& Of(Napi::Env env) {
    auto* addon = env.GetInstanceData<Addon>();
    if (addon == nullptr)
      throw Napi::Error::New(env, "initialize(ArrayInterfaceError) comes first");
    return *addon;
  }

  /// Sets the data of this environment. Called once, by `initialize`.
  static void Install(Napi::Env env, std::unique_ptr<Addon> addon) {
    env.SetInstanceData(addon.release());
  }

  Napi::Function error_class() const { return error_class_.Value(); }
  PromiseSettler& settler() { return *settler_; }

 private:
  Napi::FunctionReference error_class_;
  std::unique_ptr<PromiseSettler> settler_;
};

/// initialize(ArrayInterfaceError): must be called before all other functions, once in each
/// environment; later calls change nothing. `Data` is the addon's own class.
template <class Data>
Napi::Value Initialize(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsFunction()) {
    throw Napi::TypeError::New(env, "expected the class ArrayInterfaceError");
  }
  if (env.GetInstanceData<Addon>() == nullptr) {
    StayLoaded();  // since some of its objects are the process's
    Addon::Install(env, std::make_unique<Data>(env, info[0].As<Napi::Function>()));
  }
  return env.Undefined();
}

}  // namespace array_interface
