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

/// Loads PTX of ours; what the driver's compiler says about a failure goes into the error.
ModuleHandle LoadModule(const char* ptx) {
  constexpr std::size_t kLogSize = 4096;
  std::string log(kLogSize, '\0');
  JitOption options[] = {kJitErrorLog, kJitErrorLogSize};
  void* values[] = {log.data(), reinterpret_cast<void*>(kLogSize)};
  ModuleHandle module = nullptr;
  const auto& load = Cuda().cuModuleLoadDataEx;
  const Result result = load.Try(&module, ptx, 2, options, values);
  if (result != kSuccess) throw DriverError(result, load.name, log.c_str());
  return module;
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
  const std::lock_guard lock(mutex_);
  const auto known = kernels_.find(unit);
  if (known != kernels_.end()) return known->second;
  const ContextScope scope(*this);
  if (module_ == nullptr) module_ = LoadModule(strided_copy_ptx);
  FunctionHandle function = nullptr;
  Cuda().cuModuleGetFunction(&function, module_, kernel_name(unit));
  return kernels_[unit] = function;
}

FunctionHandle Context::ConvertKernel() {
  const std::lock_guard lock(mutex_);
  if (convert_kernel_ != nullptr) return convert_kernel_;
  const ContextScope scope(*this);
  if (convert_module_ == nullptr) convert_module_ = LoadModule(convert_ptx);
  Cuda().cuModuleGetFunction(&convert_kernel_, convert_module_, "convert");
  return convert_kernel_;
}

FunctionHandle Context::BlockKernel(std::uint32_t conversion) {
  const std::lock_guard lock(mutex_);
  const auto known = block_kernels_.find(conversion);
  if (known != block_kernels_.end()) return known->second;
  const ContextScope scope(*this);
  ModuleHandle module = LoadModule(specialise(block_copy_ptx, conversion).c_str());
  FunctionHandle function = nullptr;
  Cuda().cuModuleGetFunction(&function, module, "block_copy");
  return block_kernels_[conversion] = function;
}

std::int64_t Context::MaximumPitch() {
  const std::lock_guard lock(mutex_);
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
