// An addon for tests: an OpenCL driver that behaves as told, with this library's layer above it and
// a dpctl that calls the layer. Its functions have their indices in OpenCL's dispatch table.

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "driver/opencl_layer.hpp"
#include "napi/argument.hpp"

extern "C" int clGetLayerInfo(unsigned, std::size_t, void*, std::size_t*);
extern "C" int clInitLayer(unsigned, const void* const*, unsigned*, const void* const**);

namespace array_interface::sycl {

namespace {

constexpr std::size_t kFunctions = 150;

/// The behaviour of the next build.
struct Told {
  std::string version = "1";
  std::string name = "a processor";
  std::string options;
  double type = 2;  // a CPU
  double devices = 1;
  bool refuses_binaries = false;
  bool refuses_kept_builds = false;
  bool refuses_all = false;
} told;

std::array<const void*, kFunctions> driver{};
const void* const* layer = nullptr;

/// Begins with the dispatch table, as objects of OpenCL do.
struct Object {
  const void* const* functions = driver.data();
  std::string code{};
  bool is_binary = false;
} device, context;

int Answer(const void* value, std::size_t length, std::size_t room, void* to, std::size_t* size) {
  if (to != nullptr && room < length) return -30;
  if (to != nullptr) std::memcpy(to, value, length);
  if (size != nullptr) *size = length;
  return 0;
}

int GetDeviceInfo(void*, unsigned what, std::size_t room, void* to, std::size_t* size) {
  const auto type = static_cast<std::uint64_t>(told.type);
  if (what == 0x1000) return Answer(&type, sizeof type, room, to, size);
  const std::string text = what == 0x102D   ? told.version
                           : what == 0x102B ? told.name
                                            : "OpenCL 3.0";
  return Answer(text.c_str(), text.size() + 1, room, to, size);
}

int GetContextInfo(void*, unsigned, std::size_t room, void* to, std::size_t* size) {
  void* const all[] = {&device, &device};
  return Answer(all, sizeof(void*) * static_cast<std::size_t>(told.devices), room, to, size);
}

void* CreateWithIL(void*, const void* code, std::size_t size, int* error) {
  if (error != nullptr) *error = 0;
  return new Object{driver.data(), std::string(static_cast<const char*>(code), size), false};
}

void* CreateWithBinary(void*, unsigned, void* const*, const std::size_t* sizes,
                       const unsigned char* const* codes, int* status, int* error) {
  *status = *error = told.refuses_binaries ? -42 : 0;
  if (told.refuses_binaries) return nullptr;
  return new Object{driver.data(), {reinterpret_cast<const char*>(*codes), *sizes}, true};
}

int Build(void* program, unsigned, void* const*, const char* options, void (*)(void*, void*),
          void*) {
  auto& object = *static_cast<Object*>(program);
  if (told.refuses_all || (object.is_binary && told.refuses_kept_builds)) return -11;
  if (!object.is_binary) object.code = "compiled " + object.code + options;
  return 0;
}

int GetProgramInfo(void* program, unsigned what, std::size_t room, void* to, std::size_t* size) {
  const std::string& code = static_cast<Object*>(program)->code;
  const std::size_t length = code.size();
  if (what == 0x1165) return Answer(&length, sizeof length, room, to, size);
  if (what != 0x1166) return -30;
  std::memcpy(*static_cast<char**>(to), code.data(), length);
  return 0;
}

int Release(void* program) {
  delete static_cast<Object*>(program);
  return 0;
}

template <class Signature>
Signature Layer(std::size_t function) {
  const void* const own = layer[function] != nullptr ? layer[function] : driver[function];
  return reinterpret_cast<Signature>(const_cast<void*>(own));
}

/// dpctl's function, as far as it calls OpenCL. Returns the program.
void* CreateBundle(void* where, void* on, const void* code, std::size_t size, const char*) {
  int error = 0;
  void* const program = Layer<decltype(&CreateWithIL)>(138)(where, code, size, &error);
  const auto build = Layer<decltype(&Build)>(30);
  if (build(program, 1, &on, told.options.c_str(), nullptr, nullptr) == 0) return program;
  Release(program);
  return nullptr;
}

const Dpctl& Replaced() {
  static Dpctl dpctl;
  dpctl.KernelBundle_CreateFromSpirv.Bind(reinterpret_cast<void*>(&CreateBundle));
  dpctl.KernelBundle_Delete.Bind(reinterpret_cast<void*>(&Release));
  return dpctl;
}

/// start(folder, most): makes the layer keep its files there. Returns whether it does.
Napi::Value Start(const Napi::CallbackInfo& info) {
  driver[3] = reinterpret_cast<const void*>(&GetDeviceInfo);
  driver[8] = reinterpret_cast<const void*>(&GetContextInfo);
  driver[27] = reinterpret_cast<const void*>(&CreateWithBinary);
  driver[29] = reinterpret_cast<const void*>(&Release);
  driver[30] = reinterpret_cast<const void*>(&Build);
  driver[32] = reinterpret_cast<const void*>(&GetProgramInfo);
  driver[138] = reinterpret_cast<const void*>(&CreateWithIL);
  const NamedLayer named({ReadString(info[0], "folder"), info[1].ToNumber().Uint32Value()});
  unsigned version = 0;
  unsigned count = 0;
  const bool is_layer = clGetLayerInfo(0x4240, sizeof version, &version, nullptr) == 0 &&
                        version == 100 &&
                        clInitLayer(kFunctions, driver.data(), &count, &layer) == 0;
  return Napi::Boolean::New(info.Env(), is_layer);
}

/// offers(): returns what the layer returns to loaders that lack something, and to one that has
/// just enough.
Napi::Value Offers(const Napi::CallbackInfo& info) {
  constexpr unsigned kNeeded = 139;  // with clCreateProgramWithIL
  const void* const* const next = driver.data();
  const void* const* own = nullptr;
  unsigned count = 0;
  const int answers[] = {
      clInitLayer(kFunctions, nullptr, &count, &own), clInitLayer(kFunctions, next, nullptr, &own),
      clInitLayer(kFunctions, next, &count, nullptr), clInitLayer(kNeeded - 1, next, &count, &own),
      clInitLayer(kNeeded, next, &count, &own)};
  auto all = Napi::Array::New(info.Env());
  for (const int answer : answers) all[all.Length()] = answer;
  return all;
}

/// tell(told): sets the behaviour of the next builds.
Napi::Value Tell(const Napi::CallbackInfo& info) {
  const Napi::Object to = info[0].ToObject();
  const Told other;
  const auto text = [&](const char* name, const std::string& otherwise) {
    return to.Has(name) ? to.Get(name).ToString().Utf8Value() : otherwise;
  };
  const auto number = [&](const char* name, double otherwise) {
    return to.Has(name) ? to.Get(name).ToNumber().DoubleValue() : otherwise;
  };
  told = {text("version", other.version),
          text("name", other.name),
          text("options", other.options),
          number("type", other.type),
          number("devices", 1),
          number("refusesBinaries", 0) > 0,
          number("refusesKeptBuilds", 0) > 0,
          number("refusesAll", 0) > 0};
  return info.Env().Undefined();
}

/// build(module): returns what the driver runs for it, 'compiled MODULE', or null if it is refused.
Napi::Value BuildOne(const Napi::CallbackInfo& info) {
  const std::string module = ReadString(info[0], "module");
  const auto made = BuildModule(Replaced(), &context, &device, module.data(), module.size());
  if (!made) return info.Env().Null();
  return Napi::String::New(info.Env(), static_cast<Object*>(made.get())->code);
}

/// buildAtOnce(modules): builds each on a thread of its own. Returns how many results were correct.
Napi::Value BuildAtOnce(const Napi::CallbackInfo& info) {
  const auto modules = info[0].As<Napi::Array>();
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  threads.reserve(modules.Length());
  for (std::uint32_t i = 0; i < modules.Length(); ++i) {
    threads.emplace_back([&right, module = modules.Get(i).ToString().Utf8Value()] {
      const auto made = BuildModule(Replaced(), &context, &device, module.data(), module.size());
      if (made && static_cast<Object*>(made.get())->code == "compiled " + module) ++right;
    });
  }
  for (auto& thread : threads) thread.join();
  return Napi::Number::New(info.Env(), right.load());
}

/// builds(): returns how many were compiled and found so far.
Napi::Value Builds(const Napi::CallbackInfo& info) {
  const BuildCounts counts = CountBuilds();
  auto builds = Napi::Object::New(info.Env());
  builds["compiled"] = static_cast<double>(counts.compiled);
  builds["found"] = static_cast<double>(counts.found);
  return builds;
}

}  // namespace

}  // namespace array_interface::sycl

Napi::Object Initialize(Napi::Env env, Napi::Object exports) {
  using namespace array_interface::sycl;
  exports["start"] = Napi::Function::New<Start>(env);
  exports["offers"] = Napi::Function::New<Offers>(env);
  exports["tell"] = Napi::Function::New<Tell>(env);
  exports["build"] = Napi::Function::New<BuildOne>(env);
  exports["buildAtOnce"] = Napi::Function::New<BuildAtOnce>(env);
  exports["builds"] = Napi::Function::New<Builds>(env);
  return exports;
}

NODE_API_MODULE(NODE_GYP_MODULE_NAME, Initialize)
