#include "work/loaded_kernel.hpp"

#include <stdexcept>
#include <utility>

#include "driver/driver.hpp"
#include "driver/kernel_builder.hpp"

namespace array_interface::cuda {

namespace {

/// Bytes that the driver takes for each of core's type codes. Local memory is not a parameter.
constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 0};

}  // namespace

/// Builds the kernel once. If the job is dropped, the kernel fails.
class LoadedKernel::Job {
 public:
  explicit Job(std::shared_ptr<LoadedKernel> kernel) : kernel_(std::move(kernel)) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() { kernel_->GiveUp(); }

  void Run() const { kernel_->Build(); }

 private:
  std::shared_ptr<LoadedKernel> kernel_;
};

std::shared_ptr<LoadedKernel> LoadedKernel::Ask(std::shared_ptr<Context> context, Source source) {
  auto module = LoadedModule::Of(std::move(context), std::move(source.image));
  const std::shared_ptr<LoadedKernel> kernel(
      new LoadedKernel(std::move(module), std::move(source.function), std::move(source.types)));
  KernelBuilder::Instance().Post([job = std::make_shared<Job>(kernel)] { job->Run(); });
  return kernel;
}

void LoadedKernel::Build() noexcept {
  try {
    Load();
  } catch (...) {
    error_ = std::current_exception();
  }
  has_ended_ = true;
}

void LoadedKernel::Load() {
  module_->Load();
  const ContextScope scope(*module_->context());
  function_ = module_->Function(name_);
  CheckParameters();
  limits_ = FindLimits();
}

// If a launch exceeds the limits, the driver refuses it without a reason, or the context is lost.
LoadedKernel::Limits LoadedKernel::FindLimits() const {
  const auto of_device = [this](DeviceAttribute attribute) {
    int value = 0;
    Cuda().cuDeviceGetAttribute(&value, attribute, module_->context()->device());
    return value;
  };
  const auto of_function = [this](FunctionAttribute attribute) {
    int value = 0;
    Cuda().cuFuncGetAttribute(&value, attribute, function_);
    return value;
  };
  return {of_function(kMaximumThreads), of_device(kDeviceMaximumBlockX),
          of_device(kDeviceMaximumBlockY), of_device(kDeviceMaximumBlockZ),
          of_device(kDeviceMaximumShared) - of_function(kStaticShared)};
}

bool LoadedKernel::HasParameter(std::size_t index, std::size_t& size) const {
  std::size_t offset = 0;
  const auto& info = Cuda().cuFuncGetParamInfo;
  const Result result = info.Try(function_, index, &offset, &size);
  if (result != kSuccess && result != kInvalidValue) throw DriverError(result, info.name);
  return result == kSuccess;
}

// The driver reads as many bytes as the code declares, whatever was passed.
void LoadedKernel::CheckParameters() const {
  if (!Cuda().cuFuncGetParamInfo.IsBound()) return;
  std::size_t index = 0;
  for (const std::uint8_t type : types_) {
    const std::size_t expected = kSizes[type];
    if (expected == 0) continue;
    std::size_t size = 0;
    const bool has_one = HasParameter(index, size);
    if (!has_one || size != expected) {
      throw std::runtime_error(
          "expected a function whose parameter " + std::to_string(index) + " has " +
          std::to_string(expected) + " bytes, got " +
          (has_one ? "one of " + std::to_string(size) + " bytes" : "fewer parameters") +
          "; define the parameters as the code has them");
    }
    ++index;
  }
  std::size_t size = 0;
  if (!HasParameter(index, size)) return;
  throw std::runtime_error("expected a function of " + std::to_string(index) +
                           " parameters, got one with more; define the parameters as the code has "
                           "them");
}

void LoadedKernel::GiveUp() noexcept {
  if (has_ended_) return;
  error_ = std::make_exception_ptr(std::runtime_error(
      "expected the kernel to be built, got the end of the process or of its last thread"));
  has_ended_ = true;
}

}  // namespace array_interface::cuda
