#include "driver/kernels.hpp"

#include <cstddef>
#include <memory>
#include <utility>

#include "driver/context.hpp"
#include "driver/kernel_builder.hpp"
#include "driver/program.hpp"
#include "kernels/embedded.hpp"
#include "kernels/launch/specialise.hpp"
#include "kernels/layout/strided_copy.hpp"

namespace array_interface::cuda {

namespace {

constexpr std::uint32_t kUnitBytes[] = {1, 2, 4, 8, 16};

std::size_t IndexOf(std::uint32_t unit) {
  std::size_t index = 0;
  while (kUnitBytes[index] != unit) ++index;
  return index;
}

}  // namespace

/// A request for one module. It ends with the job, even if the job never runs or fails; then the
/// next copy of the kind requests it again.
class Kernels::Request {
 public:
  Request(std::weak_ptr<Context> context, Kind kind) : context_(std::move(context)), kind_(kind) {}
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  ~Request() {
    if (const auto context = context_.lock()) End(context->kernels());
  }

  /// Returns false if the module is built or already requested.
  bool Begin(Kernels& kernels) {
    const std::lock_guard lock(kernels.mutex_);
    Module& module = kernels.modules_[kind_];
    if (module.is_asked || module.is_built) return false;
    return has_begun_ = module.is_asked = true;
  }

  void Build() const {
    if (const auto context = context_.lock()) context->kernels().Build(kind_);
  }

 private:
  void End(Kernels& kernels) const {
    if (!has_begun_) return;
    const std::lock_guard lock(kernels.mutex_);
    kernels.modules_[kind_].is_asked = false;
  }

  std::weak_ptr<Context> context_;
  Kind kind_;
  bool has_begun_ = false;
};

void Kernels::Prepare() {
  if (!context_.is_primary() || is_prepared_.exchange(true)) return;
  Ask(kUnits);
  Ask(kNumbers);
}

FunctionHandle Kernels::ForUnit(std::uint32_t unit) { return Need(kUnits, IndexOf(unit)); }

FunctionHandle Kernels::ForNumbers() { return Need(kNumbers, 0); }

FunctionHandle Kernels::Find(Kind kind, std::size_t index) {
  const std::lock_guard lock(mutex_);
  const auto found = modules_.find(kind);
  return found == modules_.end() ? nullptr : found->second.functions[index];
}

FunctionHandle Kernels::Need(Kind kind, std::size_t index) {
  if (const FunctionHandle kernel = Find(kind, index)) return kernel;
  Build(kind);
  return Find(kind, index);
}

void Kernels::Ask(Kind kind) noexcept try {
  auto request = std::make_shared<Request>(context_.weak_from_this(), kind);
  if (!request->Begin(*this)) return;
  KernelBuilder::Instance().Post([request = std::move(request)] { request->Build(); });
} catch (...) {
  // There is no memory or thread for it. The next copy requests it again.
}

/// The first caller compiles, and the others wait for it. After a failure, the next of them tries.
void Kernels::Build(Kind kind) {
  std::unique_lock lock(mutex_);
  Module& module = modules_[kind];  // stays valid: no module is ever erased
  built_.wait(lock, [&] { return !module.is_being_built; });
  if (module.is_built) return;
  module.is_being_built = true;
  lock.unlock();
  try {
    const Functions functions = Compile(kind);
    lock.lock();
    module.functions = functions;
    module.is_built = true;
  } catch (...) {
    lock.lock();
    module.is_being_built = false;
    built_.notify_all();
    throw;
  }
  module.is_being_built = false;
  built_.notify_all();
}

Kernels::Functions Kernels::Compile(Kind kind) const {
  const ContextScope scope(context_);
  Functions functions{};
  if (kind == kUnits) {
    Program program(strided_copy_ptx);
    for (std::size_t index = 0; index < functions.size(); ++index) {
      functions[index] = program.Kernel(kernel_name(kUnitBytes[index]));
    }
    program.Keep();
  } else if (kind == kNumbers) {
    Program program(convert_ptx);
    functions[0] = program.Kernel("convert");
    program.Keep();
  } else {
    Program program(specialise(block_copy_ptx, kind).c_str());
    functions[0] = program.Kernel("block_copy");
    program.Keep();
  }
  return functions;
}

}  // namespace array_interface::cuda
