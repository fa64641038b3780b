#pragma once

#include <memory>
#include <utility>

#include "napi/failure.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A native object that JavaScript refers to: an External with the type tag of T (`T::kTag`), which
/// owns a shared pointer. T owns everything that it depends on. Garbage collection drops one
/// reference.
template <class T>
class Handle {
 public:
  static Napi::Value Wrap(Napi::Env env, std::shared_ptr<T> object) {
    auto box = std::make_unique<std::shared_ptr<T>>(std::move(object));
    auto external = Napi::External<std::shared_ptr<T>>::New(
        env, box.get(), [](Napi::BasicEnv, std::shared_ptr<T>* dropped) { delete dropped; });
    static_cast<void>(box.release());  // only now: New fails in a worker that is ending
    external.TypeTag(&T::kTag);
    return external;
  }

  /// Throws ERR_TYPE for any value that Wrap did not make.
  static std::shared_ptr<T> Unwrap(const Napi::Value& value, const char* path) {
    if (value.IsExternal()) {
      auto external = value.As<Napi::External<std::shared_ptr<T>>>();
      if (external.CheckTypeTag(&T::kTag)) return *external.Data();
    }
    Throw(value.Env(),
          {"ERR_TYPE", path,
           "expected a native handle of the right kind, got another value; pass one that "
           "this package made",
           "", 0, ""});
  }
};

}  // namespace array_interface
