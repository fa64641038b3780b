#pragma once

#include <memory>
#include <utility>

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

}  // namespace array_interface
