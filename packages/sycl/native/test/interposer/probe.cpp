// An addon for tests that calls functions of a C library, including the interposer's, on this
// thread or on another.

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "library/library.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

namespace {

using LibraryPointer = std::shared_ptr<const Library>;

constexpr std::size_t kMostParameters = 10;

/// A call whose parameters are words or strings. An exception from the function becomes a string.
class Call {
 public:
  /// The parameters are those of `info`, starting at `first`.
  Call(LibraryPointer library, const std::string& name, const Napi::CallbackInfo& info,
       std::size_t first)
      : library_(std::move(library)), symbol_(library_->Symbol(name.c_str())) {
    if (symbol_ == nullptr) throw Napi::Error::New(info.Env(), "no function " + name);
    texts_.reserve(kMostParameters);
    for (std::size_t i = 0; i < kMostParameters && i + first < info.Length(); ++i) {
      words_[i] = Read(info[i + first]);
    }
  }

  /// Planned failures are meant for the addon, so these calls are excluded.
  void Run() noexcept {
    Spare(1);
    CallIt();
    Spare(0);
  }

  const std::string& error() const { return error_; }
  std::uint64_t result() const { return result_; }

 private:
  void Spare(int spares) const noexcept {
    auto* const spare = reinterpret_cast<void (*)(int)>(library_->Symbol("Interposer_Spare"));
    if (spare != nullptr) spare(spares);
  }

  void CallIt() noexcept {
    using Word = std::uint64_t;
    using Function = Word (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);
    const auto& w = words_;
    try {
      result_ = reinterpret_cast<Function>(symbol_)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7],
                                                    w[8], w[9]);
    } catch (const std::exception& error) {
      error_ = error.what();
    } catch (...) {
      error_ = "an exception of unknown type";
    }
  }

  std::uint64_t Read(const Napi::Value& value) {
    if (value.IsString()) {
      texts_.push_back(value.As<Napi::String>().Utf8Value());
      return reinterpret_cast<std::uintptr_t>(texts_.back().c_str());
    }
    if (!value.IsBigInt()) return static_cast<std::uint64_t>(value.ToNumber().Int64Value());
    bool lossless = false;
    return value.As<Napi::BigInt>().Uint64Value(&lossless);
  }

  LibraryPointer library_;
  void* symbol_;
  std::uint64_t words_[kMostParameters] = {};
  std::vector<std::string> texts_;
  std::uint64_t result_ = 0;
  std::string error_;
};

class LaterCall : public Napi::AsyncWorker {
 public:
  LaterCall(Napi::Env env, Call call)
      : AsyncWorker(env), call_(std::move(call)), promise_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return promise_.Promise(); }

 protected:
  void Execute() override {
    call_.Run();
    if (!call_.error().empty()) SetError(call_.error());
  }
  void OnOK() override { promise_.Resolve(Napi::BigInt::New(Env(), call_.result())); }
  void OnError(const Napi::Error& error) override { promise_.Reject(error.Value()); }

 private:
  Call call_;
  Napi::Promise::Deferred promise_;
};

std::uint64_t RunNow(Napi::Env env, Call call) {
  call.Run();
  if (!call.error().empty()) throw Napi::Error::New(env, call.error());
  return call.result();
}

Napi::Value Parsed(Napi::Env env, const char* text) {
  const auto json = env.Global().Get("JSON").As<Napi::Object>();
  return json.Get("parse").As<Napi::Function>().Call({Napi::String::New(env, text)});
}

// Functions of the interposer that return nothing, by their names in JavaScript.
constexpr std::pair<const char*, const char*> kOrders[] = {
    {"forget", "Interposer_Forget"},
    {"refuse", "Interposer_Refuse"},
    {"throw", "Interposer_Throw"},
    {"limit", "Interposer_Limit"},
    {"hold", "Interposer_Hold"},
    {"release", "Interposer_Release"},
    {"holdDevice", "Interposer_HoldDevice"},
    {"releaseDevice", "Interposer_ReleaseDevice"},
    {"setSchedule", "Interposer_SetSchedule"},
    {"setBlockingFree", "Interposer_SetBlockingFree"},
    {"setKeepsFreed", "Interposer_SetKeepsFreed"},
};

// Functions of the interposer that return JSON.
constexpr std::pair<const char*, const char*> kQuestions[] = {
    {"live", "Interposer_Live"},
    {"log", "Interposer_Log"},
    {"faults", "Interposer_Faults"},
};

template <class Function>
void Define(Napi::Object object, const char* name, Function function) {
  object[name] = Napi::Function::New(object.Env(), std::move(function), name);
}

/// open(library): returns its functions. call(name, ...words) returns a bigint. callLater returns a
/// promise of that, from another thread. The others are the interposer's.
Napi::Value Open(const Napi::CallbackInfo& info) {
  std::vector<Attempt> attempts;
  const LibraryPointer library = Library::Open({info[0].ToString().Utf8Value()}, attempts);
  if (library == nullptr) throw Napi::Error::New(info.Env(), attempts.back().error);
  auto functions = Napi::Object::New(info.Env());
  Define(functions, "call", [library](const Napi::CallbackInfo& asked) {
    const std::string name = asked[0].ToString().Utf8Value();
    return Napi::BigInt::New(asked.Env(), RunNow(asked.Env(), Call(library, name, asked, 1)));
  });
  Define(functions, "callLater", [library](const Napi::CallbackInfo& asked) -> Napi::Value {
    const std::string name = asked[0].ToString().Utf8Value();
    auto* worker = new LaterCall(asked.Env(), Call(library, name, asked, 1));
    const Napi::Promise promise = worker->promise();
    worker->Queue();
    return promise;
  });
  for (const auto& [name, symbol] : kOrders) {
    Define(functions, name, [library, exported = symbol](const Napi::CallbackInfo& asked) {
      RunNow(asked.Env(), Call(library, exported, asked, 0));
      return asked.Env().Undefined();
    });
  }
  Define(functions, "fail", [library](const Napi::CallbackInfo& asked) {
    if (RunNow(asked.Env(), Call(library, "Interposer_Fail", asked, 0)) == 0) return;
    throw Napi::Error::New(asked.Env(), asked[0].ToString().Utf8Value());
  });
  for (const auto& [name, symbol] : kQuestions) {
    Define(functions, name, [library, exported = symbol](const Napi::CallbackInfo& asked) {
      const std::uint64_t answer = RunNow(asked.Env(), Call(library, exported, asked, 0));
      auto* text = reinterpret_cast<char*>(answer);
      const Napi::Value parsed = Parsed(asked.Env(), text);
      reinterpret_cast<void (*)(char*)>(library->Symbol("Interposer_DeleteText"))(text);
      return parsed;
    });
  }
  return functions;
}

/// text(address): returns the null-terminated string at an address.
Napi::Value ReadText(const Napi::CallbackInfo& info) {
  bool lossless = false;
  const std::uint64_t address = info[0].As<Napi::BigInt>().Uint64Value(&lossless);
  return Napi::String::New(info.Env(), reinterpret_cast<const char*>(address));
}

/// address(buffer): returns the address of an ArrayBuffer's bytes.
Napi::Value Address(const Napi::CallbackInfo& info) {
  void* data = info[0].As<Napi::ArrayBuffer>().Data();
  return Napi::BigInt::New(info.Env(), std::uint64_t{reinterpret_cast<std::uintptr_t>(data)});
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports["open"] = Napi::Function::New<Open>(env, "open");
  exports["text"] = Napi::Function::New<ReadText>(env, "text");
  exports["address"] = Napi::Function::New<Address>(env, "address");
  return exports;
}

}  // namespace

NODE_API_MODULE(interposer_probe, Start)

}  // namespace array_interface::sycl
