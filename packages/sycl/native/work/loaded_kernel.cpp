#include "loaded_kernel.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "driver/background.hpp"
#include "driver/sycl_error.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

namespace {

/// The size of a value in bytes.
constexpr std::size_t kPlace = 8;
constexpr int kPointer = 10;
constexpr int kLocal = 11;

/// Local memory in the C library's form: the number of elements of a type along up to three axes.
struct LocalMemory {
  std::size_t rank = 1;
  int type = 1;  // UINT8
  std::size_t count = 0;
  std::size_t others[2] = {1, 1};
};
static_assert(sizeof(LocalMemory) == 40, "MDLocalAccessor of dpctl");

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

std::shared_ptr<LoadedKernel> LoadedKernel::Ask(std::shared_ptr<ContextDevice> context,
                                                Source source) {
  auto module = LoadedModule::Of(std::move(context), std::move(source.spirv));
  const std::shared_ptr<LoadedKernel> kernel(
      new LoadedKernel(std::move(module), std::move(source.function), std::move(source.types)));
  Background::Instance().Prepare([job = std::make_shared<Job>(kernel)] { job->Run(); });
  return kernel;
}

LoadedKernel::~LoadedKernel() { ExitGate::Instance().Drop(std::move(module_)); }

void LoadedKernel::Build() noexcept {
  try {
    Load();
  } catch (const std::exception& error) {
    refusal_ = error.what();
  }
  has_ended_ = true;
}

void LoadedKernel::Load() {
  const ContextDevice& context = *module_->context();
  const Dpctl& dpctl = context.dpctl;
  if (!module_->Load()) {
    refusal_ = "expected SPIR-V that the compiler of " + context.selector +
               " accepts, got a module that it rejects; DPCTL_VERBOSITY=error prints its log, and "
               "`spirv-val --target-env opencl1.2` checks the module";
    return;
  }
  function_ = module_->Find(name_);
  if (function_ == nullptr) {
    refusal_ = "expected a function '" + name_ + "' in the module, got none of that name";
    return;
  }
  void* const kernel = function_->kernel.get();
  const std::size_t count = dpctl.Kernel_GetNumArgs(kernel);
  if (count != types_.size()) {
    refusal_ = "expected a function of " + std::to_string(types_.size()) +
               " parameters, got one of " + std::to_string(count) +
               "; define the parameters as the code has them";
    return;
  }
  // A kernel that needs much of another resource may allow only smaller groups. 0 means that the
  // runtime cannot tell.
  const std::size_t of_device = dpctl.Device_GetMaxWorkGroupSize(context.reference.get());
  const std::size_t of_kernel = dpctl.Kernel_GetWorkGroupSize(kernel);
  most_items_ = of_kernel == 0 ? of_device : std::min(of_device, of_kernel);
  most_local_ = dpctl.Device_GetLocalMemSize(context.reference.get());
}

void LoadedKernel::GiveUp() noexcept {
  if (has_ended_) return;
  refusal_ = "expected the kernel to be built, got the end of the process or of its last thread";
  has_ended_ = true;
}

EventReference LoadedKernel::Launch(void* queue, const Shape& shape, std::byte* values) {
  const Dpctl& dpctl = context()->dpctl;
  const auto& types = types_;
  std::vector<void*> arguments;
  std::vector<LocalMemory> locals(types.size());
  arguments.reserve(types.size());
  for (std::size_t index = 0; index < types.size(); ++index) {
    std::byte* const value = values + index * kPlace;
    if (types[index] == kPointer) {
      arguments.push_back(*reinterpret_cast<void**>(value));
    } else if (types[index] == kLocal) {
      locals[index].count = *reinterpret_cast<std::size_t*>(value);
      arguments.push_back(&locals[index]);
    } else {
      arguments.push_back(value);
    }
  }
  const std::lock_guard lock(function_->launching);
  return {dpctl, dpctl.Queue_SubmitNDRange.Must(function_->kernel.get(), queue, arguments.data(),
                                                types.data(), types.size(), shape.items,
                                                shape.group, shape.rank, nullptr, 0)};
}

}  // namespace array_interface::sycl
