#include "loaded_kernel.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "driver/sycl_error.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kPointer = 10;

/// Local memory in the C library's form: the number of elements of a type along up to three axes.
struct LocalMemory {
  std::size_t rank = 1;
  int type = 1;  // UINT8
  std::size_t count = 0;
  std::size_t others[2] = {1, 1};
};
static_assert(sizeof(LocalMemory) == 40, "MDLocalAccessor of dpctl");

[[noreturn]] void Refuse(const std::string& message) {
  throw SyclError("ERR_KERNEL", "code.sycl", message);
}

}  // namespace

LoadedKernel::~LoadedKernel() { ExitGate::Instance().Drop(std::move(module_)); }

void LoadedKernel::Load() {
  const ContextDevice& context = *module_->context();
  const Dpctl& dpctl = context.dpctl;
  if (!module_->Load()) {
    Refuse("expected SPIR-V that the compiler of " + context.selector +
           " accepts, got a module that it rejects; DPCTL_VERBOSITY=error prints its log, and "
           "`spirv-val --target-env opencl1.2` checks the module");
  }
  function_ = module_->Find(name_);
  if (function_ == nullptr) {
    Refuse("expected a function '" + name_ + "' in the module, got none of that name");
  }
  void* const kernel = function_->kernel.get();
  const std::size_t count = dpctl.Kernel_GetNumArgs(kernel);
  if (count != types_.size()) {
    Refuse("expected a function of " + std::to_string(types_.size()) + " parameters, got one of " +
           std::to_string(count) + "; define the parameters as the code has them");
  }
  // A kernel that needs much of another resource may allow only smaller groups. 0 means that the
  // runtime cannot tell.
  const std::size_t of_device = dpctl.Device_GetMaxWorkGroupSize(context.reference.get());
  const std::size_t of_kernel = dpctl.Kernel_GetWorkGroupSize(kernel);
  limits_ = {of_kernel == 0 ? of_device : std::min(of_device, of_kernel),
             dpctl.Device_GetLocalMemSize(context.reference.get())};
}

Enqueued LoadedKernel::Launch(const std::shared_ptr<Queue>& queue, const Shape& shape,
                              std::byte* values, Uses uses) {
  std::vector<void*> arguments;
  std::vector<LocalMemory> locals(types_.size());
  arguments.reserve(types_.size());
  for (std::size_t index = 0; index < types_.size(); ++index) {
    std::byte* const value = values + index * kSlot;
    if (types_[index] == kPointer) {
      arguments.push_back(*reinterpret_cast<void**>(value));
    } else if (types_[index] == kLocalMemory) {
      locals[index].count = *reinterpret_cast<std::size_t*>(value);
      arguments.push_back(&locals[index]);
    } else {
      arguments.push_back(value);
    }
  }
  const auto submit = [&](void* native) -> EventReference {
    const Dpctl& dpctl = module_->context()->dpctl;
    const std::lock_guard lock(function_->launching);
    return {dpctl, dpctl.Queue_SubmitNDRange.Must(function_->kernel.get(), native, arguments.data(),
                                                  types_.data(), types_.size(), shape.items,
                                                  shape.group, shape.rank, nullptr, 0)};
  };
  return Work(queue, uses, [&] { queue->Submit(submit); });
}

}  // namespace array_interface::sycl
