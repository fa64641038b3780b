// An addon for tests that calls functions of C libraries as another library in the process would:
// dpctl's, or those of a CPython.

#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "library/library.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

namespace {

constexpr std::size_t kMostParameters = 6;

/// One parameter: an address or integer as a bigint, or a string that lives as long as the call.
std::uint64_t ReadWord(const Napi::Value& value, std::vector<std::string>& texts) {
  if (value.IsString()) {
    texts.push_back(value.As<Napi::String>().Utf8Value());
    return reinterpret_cast<std::uintptr_t>(texts.back().c_str());
  }
  bool lossless = false;
  return value.As<Napi::BigInt>().Uint64Value(&lossless);
}

/// open(library): opens it so that libraries that are loaded later find its functions.
Napi::Value OpenGlobally(const Napi::CallbackInfo& info) {
  void* library = dlopen(info[0].ToString().Utf8Value().c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw Napi::Error::New(info.Env(), dlerror());
  return info.Env().Undefined();
}

/// text(address): returns the null-terminated string at an address.
Napi::Value ReadText(const Napi::CallbackInfo& info) {
  std::vector<std::string> none;
  return Napi::String::New(info.Env(), reinterpret_cast<const char*>(ReadWord(info[0], none)));
}

/// call(library, name, ...parameters): calls a function whose parameters are addresses, integers or
/// strings. Returns its result, an address or integer, as a bigint.
Napi::Value CallFunction(const Napi::CallbackInfo& info) {
  std::vector<Attempt> attempts;
  const auto library = Library::Open({info[0].ToString().Utf8Value()}, attempts);
  if (library == nullptr) throw Napi::Error::New(info.Env(), attempts.back().error);
  const std::string name = info[1].ToString().Utf8Value();
  void* symbol = library->Symbol(name.c_str());
  if (symbol == nullptr) throw Napi::Error::New(info.Env(), "no function " + name);
  std::uint64_t word[kMostParameters] = {};
  std::vector<std::string> texts;
  texts.reserve(kMostParameters);
  for (std::size_t i = 0; i < kMostParameters && i + 2 < info.Length(); ++i) {
    word[i] = ReadWord(info[i + 2], texts);
  }
  using Function = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                                     std::uint64_t, std::uint64_t);
  const auto function = reinterpret_cast<Function>(symbol);
  const std::uint64_t result = function(word[0], word[1], word[2], word[3], word[4], word[5]);
  return Napi::BigInt::New(info.Env(), result);
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports["open"] = Napi::Function::New<OpenGlobally>(env, "open");
  exports["text"] = Napi::Function::New<ReadText>(env, "text");
  exports["call"] = Napi::Function::New<CallFunction>(env, "call");
  return exports;
}

}  // namespace

NODE_API_MODULE(other_library, Start)

}  // namespace array_interface::sycl
