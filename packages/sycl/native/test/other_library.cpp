// An addon for tests that uses dpctl's C library as another library in the process would.

#include <cstdint>
#include <string>
#include <vector>

#include "library/library.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

namespace {

constexpr std::size_t kMostParameters = 6;

/// call(library, name, ...parameters): a function whose parameters and result are addresses or
/// integers, all bigints.
Napi::Value CallFunction(const Napi::CallbackInfo& info) {
  std::vector<Attempt> attempts;
  const auto library = Library::Open({info[0].ToString().Utf8Value()}, attempts);
  if (library == nullptr) throw Napi::Error::New(info.Env(), attempts.back().error);
  const std::string name = info[1].ToString().Utf8Value();
  void* symbol = library->Symbol(name.c_str());
  if (symbol == nullptr) throw Napi::Error::New(info.Env(), "no function " + name);
  std::uint64_t word[kMostParameters] = {};
  for (std::size_t i = 0; i < kMostParameters && i + 2 < info.Length(); ++i) {
    bool lossless = false;
    word[i] = info[i + 2].As<Napi::BigInt>().Uint64Value(&lossless);
  }
  using Function = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                                     std::uint64_t, std::uint64_t);
  const auto function = reinterpret_cast<Function>(symbol);
  const std::uint64_t result = function(word[0], word[1], word[2], word[3], word[4], word[5]);
  return Napi::BigInt::New(info.Env(), result);
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports["call"] = Napi::Function::New<CallFunction>(env, "call");
  return exports;
}

}  // namespace

NODE_API_MODULE(other_library, Start)

}  // namespace array_interface::sycl
