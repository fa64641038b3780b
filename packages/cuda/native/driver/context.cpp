#include "driver/context.hpp"

#include <string>

#include "driver/driver.hpp"
#include "kernels/generated/block_copy_ptx.hpp"
#include "kernels/generated/convert_ptx.hpp"
#include "kernels/generated/strided_copy_ptx.hpp"
#include "kernels/specialise.hpp"
#include "kernels/strided_copy.hpp"

namespace array_interface::cuda {

namespace {

using Primaries = std::map<int, std::shared_ptr<Context>>;

std::mutex primaries_mutex;

/// Never destroyed: the driver may be gone when static objects are.
Primaries& PrimaryContexts() {
  static auto& contexts = *new Primaries();
  return contexts;
}

/// PTX of ours, compiled for the current context; unloaded again unless it is kept.
class Program {
 public:
  /// Throws DriverError with what the driver's compiler says.
  explicit Program(const char* ptx) {
    constexpr std::size_t kLogSize = 4096;
    std::string log(kLogSize, '\0');
    JitOption options[] = {kJitErrorLog, kJitErrorLogSize};
    void* values[] = {log.data(), reinterpret_cast<void*>(kLogSize)};
    const auto& load = Cuda().cuModuleLoadDataEx;
    const Result result = load.Try(&module_, ptx, 2, options, values);
    if (result != kSuccess) throw DriverError(result, load.name, log.c_str());
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  // NOLINTNEXTLINE(bugprone-exception-escape): every driver has the function
  ~Program() {
    if (module_ != nullptr) Cuda().cuModuleUnload.Try(module_);
  }

  FunctionHandle Kernel(const char* name) const {
    FunctionHandle kernel = nullptr;
    Cuda().cuModuleGetFunction(&kernel, module_, name);
    return kernel;
  }
  void Keep() { module_ = nullptr; }

 private:
  ModuleHandle module_ = nullptr;
};

/// What `kernels_` has a kernel of block_copy.cl by.
std::string BlockName(std::uint32_t conversion) {
  return "block_copy " + std::to_string(conversion);
}

}  // namespace

std::shared_ptr<Context> Context::Primary(int device) {
  const std::lock_guard lock(primaries_mutex);
  auto& context = PrimaryContexts()[device];
  if (context == nullptr) {
    DeviceNumber number = 0;
    ContextHandle handle = nullptr;
    Cuda().cuDeviceGet(&number, device);
    Cuda().cuDevicePrimaryCtxRetain(&handle, number);
    context.reset(new Context(handle, device, true));
  }
  return context;
}

std::shared_ptr<Context> Context::Of(ContextHandle handle) {
  DeviceNumber number = 0;
  {
    const ContextScope scope(handle);
    Cuda().cuCtxGetDevice(&number);
  }
  auto primary = Primary(number);
  if (primary->handle() == handle) return primary;
  return std::shared_ptr<Context>(new Context(handle, number, false));
}

FunctionHandle Context::Kernel(std::uint32_t unit) {
  const char* const name = kernel_name(unit);
  if (const FunctionHandle known = Known(name)) return known;
  const ContextScope scope(*this);
  Program program(strided_copy_ptx);
  Kernels made;
  for (const std::uint32_t each : {1u, 2u, 4u, 8u, 16u}) {
    made[kernel_name(each)] = program.Kernel(kernel_name(each));
  }
  if (Keep(made)) program.Keep();
  return Known(name);
}

FunctionHandle Context::ConvertKernel() {
  if (const FunctionHandle known = Known("convert")) return known;
  const ContextScope scope(*this);
  Program program(convert_ptx);
  if (Keep({{"convert", program.Kernel("convert")}})) program.Keep();
  return Known("convert");
}

FunctionHandle Context::BlockKernel(std::uint32_t conversion) {
  const std::string name = BlockName(conversion);
  if (const FunctionHandle known = Known(name)) return known;
  const ContextScope scope(*this);
  Program program(specialise(block_copy_ptx, conversion).c_str());
  if (Keep({{name, program.Kernel("block_copy")}})) program.Keep();
  return Known(name);
}

FunctionHandle Context::KnownBlockKernel(std::uint32_t conversion) {
  return Known(BlockName(conversion));
}

FunctionHandle Context::Known(const std::string& kernel) {
  const std::lock_guard lock(mutex_);
  const auto found = kernels_.find(kernel);
  return found == kernels_.end() ? nullptr : found->second;
}

/// False where another thread has compiled the same meanwhile: then its kernels stay.
bool Context::Keep(const Kernels& made) {
  const std::lock_guard lock(mutex_);
  if (kernels_.count(made.begin()->first) != 0) return false;
  kernels_.insert(made.begin(), made.end());
  return true;
}

std::int64_t Context::MaximumPitch() {
  if (maximum_pitch_ == 0) {
    int pitch = 0;
    Cuda().cuDeviceGetAttribute(&pitch, kDeviceMaximumPitch, device_);
    maximum_pitch_ = pitch;
  }
  return maximum_pitch_;
}

bool Context::Reach(int other_device) {
  if (other_device == device_) return true;
  const auto other = Primary(other_device);
  const std::lock_guard lock(mutex_);
  const auto known = reached_.find(other_device);
  if (known != reached_.end()) return known->second;
  int can = 0;
  Cuda().cuDeviceCanAccessPeer(&can, device_, other_device);
  if (can != 0) {
    const ContextScope scope(*this);
    const auto& enable = Cuda().cuCtxEnablePeerAccess;
    const Result result = enable.Try(other->handle(), 0);
    if (result != kSuccess && result != kPeerAccessAlreadyEnabled) {
      throw DriverError(result, enable.name);
    }
  }
  return reached_[other_device] = can != 0;
}

ContextScope::ContextScope(const Context& context) : ContextScope(context.handle()) {}

ContextScope::ContextScope(ContextHandle context) {
  ContextHandle current = nullptr;
  Cuda().cuCtxGetCurrent(&current);
  pushed_ = current != context;
  if (pushed_) Cuda().cuCtxPushCurrent(context);
  ExchangeCaptureMode();
}

// NOLINTNEXTLINE(bugprone-exception-escape): there is a driver, so Cuda() does not throw
ContextScope::~ContextScope() {
  ExchangeCaptureMode();
  if (!pushed_ || !Cuda().cuCtxPopCurrent.IsBound()) return;
  ContextHandle popped = nullptr;
  Cuda().cuCtxPopCurrent.Try(&popped);
}

/// Sets the mode that is kept here, and keeps the one that was set.
// NOLINTNEXTLINE(bugprone-exception-escape): there is a driver, so Cuda() does not throw
void ContextScope::ExchangeCaptureMode() noexcept {
  const auto& exchange = Cuda().cuThreadExchangeStreamCaptureMode;
  if (exchange.IsBound()) exchange.Try(&capture_mode_);
}

}  // namespace array_interface::cuda
