// An addon for tests: kernels of a device whose compiler can be blocked, counts what it builds, and
// refuses on demand. The runtime of the tests offers none of that, so its functions are replaced.
// The kernels and the thread that builds them are the package's own.

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "driver/context_device.hpp"
#include "driver/kernel_builder.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

namespace {

/// The longest wait for the end of an environment that is not the last one.
constexpr std::chrono::seconds kLongest{10};

struct Compiler {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_held = false;
  std::thread::id ref;
  bool is_refused = false;
  int begun = 0;
};

/// Never destroyed, since the building thread outlives static objects.
Compiler& TheCompiler() {
  static auto* compiler = new Compiler();
  return *compiler;
}

char thing = 0;  // the address of all native objects but kernels
char shared_kernel = 0;
char row_kernel = 0;
char tile_kernel = 0;
std::size_t local_memory = 0;
const void* submitted = nullptr;
std::size_t submitted_items = 0;

bool HasAspect(void*, int) { return true; }
std::size_t GetLocalMemory(void*) { return local_memory; }
void* CreateBundle(void*, void*, const void*, std::size_t, const char*) {
  Compiler& compiler = TheCompiler();
  std::unique_lock lock(compiler.mutex);
  ++compiler.begun;
  compiler.changed.wait(lock, [&compiler] {
    return !compiler.is_held || std::this_thread::get_id() == compiler.ref;
  });
  return compiler.is_refused ? nullptr : &thing;
}
void* GetKernel(void*, const char* name) {
  if (std::strcmp(name, "convert") == 0) return &shared_kernel;
  return std::strcmp(name, "row_copy") == 0 ? &row_kernel : &tile_kernel;
}
void* Submit(void* kernel, void*, void**, const int*, std::size_t, const std::size_t* items,
             std::size_t, void**, std::size_t) {
  submitted = kernel;
  submitted_items = *items;
  return &thing;
}
void Delete(void*) {}

template <class Function, class Replacement>
void Replace(Function& function, Replacement* replacement) {
  function.Bind(reinterpret_cast<void*>(replacement));
}

const Dpctl& Replaced() {
  static Dpctl dpctl;
  Replace(dpctl.Device_HasAspect, &HasAspect);
  Replace(dpctl.Device_GetLocalMemSize, &GetLocalMemory);
  Replace(dpctl.KernelBundle_CreateFromSpirv, &CreateBundle);
  Replace(dpctl.KernelBundle_GetKernel, &GetKernel);
  Replace(dpctl.Queue_SubmitRange, &Submit);
  Replace(dpctl.KernelBundle_Delete, &Delete);
  Replace(dpctl.Kernel_Delete, &Delete);
  Replace(dpctl.Event_Delete, &Delete);
  return dpctl;
}

std::shared_ptr<ContextDevice>& Here() {
  static std::shared_ptr<ContextDevice> context_device;
  return context_device;
}

/// start(selector?, localMemory?): creates a context and device without any built kernel.
Napi::Value Start(const Napi::CallbackInfo& info) {
  const std::string selector = info[0].IsString() ? info[0].ToString().Utf8Value() : "opencl:cpu:0";
  local_memory = info[1].IsNumber() ? info[1].ToNumber().Uint32Value() : 0;
  Here() = std::make_shared<ContextDevice>(Replaced(), 0, selector, ContextReference(),
                                           DeviceReference());
  std::lock_guard lock(TheCompiler().mutex);
  TheCompiler().begun = 0;
  return info.Env().Undefined();
}

/// copy(units, step): copies every `step`-th unit. Returns which kernel did it: 'shared', or the
/// kind's own for 'rows' or 'tiles'.
Napi::Value Copy(const Napi::CallbackInfo& info) {
  StridedCopy copy{&thing, &thing, 1, {info[0].ToNumber().Int64Value()}, {1}, {0}};
  copy.source_strides[0] = info[1].ToNumber().Int64Value();
  Kernels& kernels = Here()->kernels();
  kernels.Launch(&thing, copy, kernels.Choose(Here(), copy));
  if (submitted == &shared_kernel) return Napi::String::New(info.Env(), "shared");
  return Napi::String::New(info.Env(), submitted == &row_kernel ? "rows" : "tiles");
}

void SetHeld(bool held) {
  std::lock_guard lock(TheCompiler().mutex);
  TheCompiler().is_held = held;
  TheCompiler().ref = std::this_thread::get_id();
  TheCompiler().changed.notify_all();
}

/// items(): returns how many items the last launch had along its first index.
Napi::Value Items(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(submitted_items));
}

/// hold(held): sets whether builds on other threads than this one start but do not end.
Napi::Value Hold(const Napi::CallbackInfo& info) {
  SetHeld(info[0].ToBoolean());
  return info.Env().Undefined();
}

/// refuse(refused): sets whether builds fail.
Napi::Value Refuse(const Napi::CallbackInfo& info) {
  std::lock_guard lock(TheCompiler().mutex);
  TheCompiler().is_refused = info[0].ToBoolean();
  return info.Env().Undefined();
}

/// builds(): returns how many builds started since start().
Napi::Value Builds(const Napi::CallbackInfo& info) {
  std::lock_guard lock(TheCompiler().mutex);
  return Napi::Number::New(info.Env(), TheCompiler().begun);
}

/// isPrepared(): returns whether nothing is left to build.
Napi::Value IsPrepared(const Napi::CallbackInfo& info) {
  KernelBuilder& builder = KernelBuilder::Instance();
  return Napi::Boolean::New(info.Env(), builder.HasBuilt(builder.posted()));
}

/// enter(), leave(): an environment starts or ends. Builds are released while it ends.
Napi::Value Enter(const Napi::CallbackInfo& info) {
  KernelBuilder::Instance().Enter();
  return info.Env().Undefined();
}
Napi::Value Leave(const Napi::CallbackInfo& info) {
  KernelBuilder& builder = KernelBuilder::Instance();
  std::thread letting_go([&builder] {
    const auto limit = std::chrono::steady_clock::now() + kLongest;
    while (!builder.IsLeft() && std::chrono::steady_clock::now() < limit) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    SetHeld(false);
  });
  builder.Leave();
  letting_go.join();
  return info.Env().Undefined();
}

/// endBuilding(): does what happens when the process exits.
Napi::Value EndBuilding(const Napi::CallbackInfo& info) {
  KernelBuilder::Instance().End();
  return info.Env().Undefined();
}

Napi::Object Load(Napi::Env env, Napi::Object exports) {
  exports["start"] = Napi::Function::New<Start>(env, "start");
  exports["copy"] = Napi::Function::New<Copy>(env, "copy");
  exports["items"] = Napi::Function::New<Items>(env, "items");
  exports["hold"] = Napi::Function::New<Hold>(env, "hold");
  exports["refuse"] = Napi::Function::New<Refuse>(env, "refuse");
  exports["builds"] = Napi::Function::New<Builds>(env, "builds");
  exports["isPrepared"] = Napi::Function::New<IsPrepared>(env, "isPrepared");
  exports["enter"] = Napi::Function::New<Enter>(env, "enter");
  exports["leave"] = Napi::Function::New<Leave>(env, "leave");
  exports["endBuilding"] = Napi::Function::New<EndBuilding>(env, "endBuilding");
  return exports;
}

}  // namespace

NODE_API_MODULE(slow_compiler, Load)

}  // namespace array_interface::sycl
