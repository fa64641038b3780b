#include "loaded_module.hpp"

#include <utility>

#include "driver/opencl_layer.hpp"
#include "library/module_table.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

namespace {

/// Never destroyed.
ModuleTable<ContextDevice, LoadedModule>& Modules() {
  static auto* const modules = new ModuleTable<ContextDevice, LoadedModule>();
  return *modules;
}

}  // namespace

std::shared_ptr<LoadedModule> LoadedModule::Of(std::shared_ptr<ContextDevice> context,
                                               std::string spirv) {
  if (auto known = Modules().Find(*context, spirv)) return known;
  const std::shared_ptr<LoadedModule> made(new LoadedModule(std::move(context), std::move(spirv)));
  return Modules().Add(made);
}

std::size_t LoadedModule::count() { return Modules().count(); }

LoadedModule::~LoadedModule() {
  Modules().Remove(*this);
  ExitGate::Instance().Drop(std::move(functions_));
  ExitGate::Instance().Drop(std::move(bundle_));
  ExitGate::Instance().Drop(std::move(context_));
}

bool LoadedModule::Load() {
  const std::lock_guard lock(mutex_);
  if (was_tried_) return static_cast<bool>(bundle_);
  was_tried_ = true;
  const Dpctl& dpctl = context_->dpctl;
  bundle_ = BuildModule(dpctl, context_->context.get(), context_->reference.get(), spirv_.data(),
                        spirv_.size());
  if (bundle_) return true;
  Modules().Remove(*this);  // earlier requests share the refusal; the next one tries again
  return false;
}

LoadedModule::Function* LoadedModule::Find(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = functions_.find(name);
  if (known != functions_.end()) return &known->second;
  const Dpctl& dpctl = context_->dpctl;
  KernelReference kernel(dpctl, dpctl.KernelBundle_GetKernel(bundle_.get(), name.c_str()));
  if (!kernel) return nullptr;
  Function& function = functions_[name];
  function.kernel = std::move(kernel);
  return &function;
}

}  // namespace array_interface::sycl
