#include "napi/failure.hpp"

#include "napi/addon.hpp"

namespace array_interface {

Napi::Error MakeError(Napi::Env env, const Failure& failure) {
  Napi::Function error_class = Addon::Of(env).error_class();
  Napi::Object options = Napi::Object::New(env);
  if (!failure.driver_code.empty()) {
    options["driverCode"] = failure.driver_code;
    options["driverNumber"] = static_cast<double>(failure.driver_number);
  }
  if (!failure.call.empty()) options["call"] = failure.call;
  Napi::Value path = failure.path.empty() ? env.Null() : Napi::String::New(env, failure.path);
  Napi::Object error = error_class.New({Napi::String::New(env, failure.code), path,
                                        Napi::String::New(env, failure.message), options});
  return Napi::Error(env, error);
}

}  // namespace array_interface
