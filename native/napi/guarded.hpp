#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "napi/failure.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Wraps a binding and turns exceptions of the standard library into ArrayInterfaceErrors, because
/// node-addon-api catches only its own exceptions.
template <auto Binding>
auto Guarded(const Napi::CallbackInfo& info) -> decltype(Binding(info)) {
  const auto refuse = [&info](const char* code, const std::string& message) {
    Throw(info.Env(), {code, "", message, "", 0, ""});
  };
  try {
    return Binding(info);
  } catch (const std::invalid_argument& error) {
    refuse("ERR_ARGUMENT", error.what());
  } catch (const std::bad_alloc&) {
    refuse("ERR_OUT_OF_MEMORY",
           "expected enough memory in this process, got none; free some of it");
  } catch (const std::system_error& error) {
    refuse("ERR_OUT_OF_MEMORY", std::string("expected another thread, got: ") + error.what() +
                                    "; end some of this process's threads");
  }
  return decltype(Binding(info))();
}

}  // namespace array_interface
