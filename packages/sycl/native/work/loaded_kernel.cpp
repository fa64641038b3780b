#include "loaded_kernel.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "driver/sycl_error.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kPointer = 10;
/// The C library's type of a struct's bytes.
constexpr int kRawBytes = 13;

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
  const Dpctl& dpctl = module_->context()->dpctl;
  std::vector<void*> arguments;
  std::vector<int> types;
  std::vector<LocalMemory> locals(types_.size());
  std::vector<StructReference> structs;
  arguments.reserve(types_.size());
  for (std::size_t index = 0; index < types_.size(); ++index) {
    const int type = types_[index];
    types.push_back(CodeOf(type) == kStruct ? kRawBytes : type);
    if (type == kPointer) {
      arguments.push_back(*reinterpret_cast<void**>(values));
    } else if (type == kLocalMemory) {
      locals[index].count = *reinterpret_cast<std::size_t*>(values);
      arguments.push_back(&locals[index]);
    } else if (CodeOf(type) == kStruct) {
      structs.emplace_back(dpctl, dpctl.RawKernelArg_Create.Must(values, StructBytes(type)));
      arguments.push_back(structs.back().get());
    } else {
      arguments.push_back(values);
    }
    values += SlotBytes(type);
  }
  const auto submit = [&](void* native) -> EventReference {
    const std::lock_guard lock(function_->launching);
    return {dpctl, dpctl.Queue_SubmitNDRange.Must(function_->kernel.get(), native, arguments.data(),
                                                  types.data(), types.size(), shape.items,
                                                  shape.group, shape.rank, nullptr, 0)};
  };
  return Work(queue, uses, [&] { queue->Submit(submit); });
}

}  // namespace array_interface::sycl
