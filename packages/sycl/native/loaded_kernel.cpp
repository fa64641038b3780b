#include "loaded_kernel.hpp"

#include <utility>

#include "background.hpp"
#include "sycl_error.hpp"
#include "threads/gate.hpp"

namespace array_interface::sycl {

namespace {

/// Bytes of a value's place.
constexpr std::size_t kPlace = 8;
constexpr int kPointer = 10;
constexpr int kLocal = 11;

/// Local memory as the C library has it: so many elements of a type along up to three axes.
struct LocalMemory {
  std::size_t rank = 1;
  int type = 1;  // UINT8
  std::size_t count = 0;
  std::size_t others[2] = {1, 1};
};
static_assert(sizeof(LocalMemory) == 40, "MDLocalAccessor of dpctl");

}  // namespace

/// Builds once. A job that is dropped gives up.
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

std::shared_ptr<LoadedKernel> LoadedKernel::Ask(std::shared_ptr<Place> place, Source source) {
  const std::shared_ptr<LoadedKernel> kernel(new LoadedKernel(std::move(place), std::move(source)));
  Background::Instance().Prepare([job = std::make_shared<Job>(kernel)] { job->Run(); });
  return kernel;
}

LoadedKernel::~LoadedKernel() {
  Gate::Instance().Drop(std::move(kernel_));
  Gate::Instance().Drop(std::move(bundle_));
  Gate::Instance().Drop(std::move(place_));
}

void LoadedKernel::Build() noexcept {
  try {
    Load();
  } catch (const std::exception& error) {
    refusal_ = error.what();
  }
  std::string().swap(source_.spirv);  // an assignment would keep the room
  has_ended_ = true;
}

void LoadedKernel::Load() {
  const Dpctl& dpctl = place_->dpctl;
  const auto& [spirv, function, types] = source_;
  bundle_ = {dpctl,
             dpctl.KernelBundle_CreateFromSpirv(place_->context.get(), place_->reference.get(),
                                                spirv.data(), spirv.size(), "")};
  if (!bundle_) {
    refusal_ =
        "expected SPIR-V that the compiler of " + place_->selector +
        " takes, got a module that it refuses; its log comes with DPCTL_VERBOSITY=error, and "
        "`spirv-val --target-env opencl1.2` looks at the module";
    return;
  }
  most_items_ = dpctl.Device_GetMaxWorkGroupSize(place_->reference.get());
  most_local_ = dpctl.Device_GetLocalMemSize(place_->reference.get());
  kernel_ = {dpctl, dpctl.KernelBundle_GetKernel(bundle_.get(), function.c_str())};
  if (!kernel_) {
    refusal_ = "expected a function '" + function + "' in the module, got none of that name";
    return;
  }
  const std::size_t count = dpctl.Kernel_GetNumArgs(kernel_.get());
  if (count != types.size()) {
    refusal_ = "expected a function of " + std::to_string(types.size()) +
               " parameters, got one of " + std::to_string(count) +
               "; define the parameters as the code has them";
  }
}

void LoadedKernel::GiveUp() noexcept {
  if (has_ended_) return;
  refusal_ = "expected to build it, got the end of the process or its last thread";
  has_ended_ = true;
}

void LoadedKernel::Check(const Shape& shape, const std::byte* values) const {
  unsigned __int128 items = 1;
  for (const std::size_t axis : shape.group) items *= axis;
  if (items > most_items_) {
    throw SyclError("ERR_ARGUMENT", "group",
                    "expected at most " + std::to_string(most_items_) + " items in a group on " +
                        place_->selector + ", got more; make it smaller");
  }
  std::size_t bytes = 0;
  for (std::size_t index = 0; index < types().size(); ++index) {
    if (types()[index] != kLocal) continue;
    bytes += *reinterpret_cast<const std::size_t*>(values + index * kPlace);
  }
  // Intel's runtime for CPUs crashes where the bytes do not fit into 32 bits.
  if (bytes <= most_local_) return;
  throw SyclError("ERR_ARGUMENT", "arguments",
                  "expected at most " + std::to_string(most_local_) + " bytes of local memory on " +
                      place_->selector + ", got " + std::to_string(bytes) +
                      "; give the kernel less");
}

EventReference LoadedKernel::Launch(void* queue, const Shape& shape, std::byte* values) {
  const Dpctl& dpctl = place_->dpctl;
  const auto& types = source_.types;
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
  const std::lock_guard lock(launching_);
  return {dpctl, dpctl.Queue_SubmitNDRange.Must(kernel_.get(), queue, arguments.data(),
                                                types.data(), types.size(), shape.items,
                                                shape.group, shape.rank, nullptr, 0)};
}

}  // namespace array_interface::sycl
