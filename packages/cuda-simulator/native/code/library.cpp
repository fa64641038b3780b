#include "library.hpp"

namespace array_interface::cuda_simulator {

std::shared_ptr<Module> Library::module_in(Context& context) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<Module>& module = loaded_[context.id];
  std::string reason;
  if (module == nullptr) module = load_module(context, image.c_str(), reason);
  return module;
}

CUmodule Library::handle_in(Context& context) {
  const auto module = module_in(context);
  std::lock_guard lock(mutex_);
  CUmodule& handle = handles_[context.id];
  if (handle == nullptr) handle = modules().add(module);
  return handle;
}

void Library::end_handles() {
  std::lock_guard lock(mutex_);
  for (const auto& [context, handle] : handles_) modules().remove(handle);
}

CUfunction LibraryKernel::handle_in(Context& context) {
  std::lock_guard lock(mutex_);
  CUfunction& handle = handles_[context.id];
  if (handle == nullptr) {
    handle = functions().add(find_function(library->module_in(context), name.c_str()));
  }
  return handle;
}

std::shared_ptr<Function> LibraryKernel::function_in(Context& context) {
  return functions().get(handle_in(context));
}

std::shared_ptr<Function> function_of(CUfunction handle, Context& context) {
  if (auto function = functions().find(handle)) return function;
  return library_kernels().get(reinterpret_cast<CUkernel>(handle))->function_in(context);
}

}  // namespace array_interface::cuda_simulator
