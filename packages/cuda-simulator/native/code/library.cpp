#include "library.hpp"

#include "base/failure.hpp"

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
  if (handle == nullptr) handle = reinterpret_cast<CUmodule>(modules().add(module));
  return handle;
}

void Library::end_handles() {
  std::lock_guard lock(mutex_);
  for (const auto& [context, handle] : handles_) {
    modules().remove(reinterpret_cast<std::uintptr_t>(handle));
  }
}

CUfunction LibraryKernel::handle_in(Context& context) {
  std::lock_guard lock(mutex_);
  std::uint64_t& handle = handles_[context.id];
  if (handle == 0) {
    handle = functions().add(find_function(library->module_in(context), name.c_str()));
  }
  return reinterpret_cast<CUfunction>(handle);
}

std::shared_ptr<Function> LibraryKernel::function_in(Context& context) {
  auto found = functions().find(reinterpret_cast<std::uintptr_t>(handle_in(context)));
  require(found != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return found;
}

HandleTable<Library>& libraries() {
  static HandleTable<Library>& table = *new HandleTable<Library>(0x1B);  // outlives every thread
  return table;
}

HandleTable<LibraryKernel>& library_kernels() {
  static HandleTable<LibraryKernel>& table = *new HandleTable<LibraryKernel>(0x1C);
  return table;
}

std::shared_ptr<Function> function_of(CUfunction handle, Context& context) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (auto function = functions().find(number)) return function;
  const auto kernel = library_kernels().find(number);
  require(kernel != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return kernel->function_in(context);
}

}  // namespace array_interface::cuda_simulator
