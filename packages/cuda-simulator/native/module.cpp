#include "module.hpp"

#include <cstdio>
#include <cstring>

#include "call.hpp"
#include "driver_api.hpp"
#include "kernels/hash.hpp"

namespace array_interface::cuda_simulator {

HandleTable<Module>& modules() {
  static HandleTable<Module>& table = *new HandleTable<Module>(0x3D);  // outlives every thread
  return table;
}

HandleTable<Function>& functions() {
  static HandleTable<Function>& table = *new HandleTable<Function>(0xF1);  // outlives every thread
  return table;
}

}  // namespace array_interface::cuda_simulator

using namespace array_interface::cuda_simulator;

namespace {

constexpr int jit_error_log_buffer = 5;
constexpr int jit_error_log_size = 6;

/// Machine code rather than PTX text: an ELF file or a fat binary.
bool is_binary(const char* image) {
  return std::memcmp(image,
                     "\x7f"
                     "ELF",
                     4) == 0 ||
         std::memcmp(image, "\x50\xed\x55\xba", 4) == 0;
}

/// Says in the caller's log buffer, where there is one, why the module was refused.
void explain(const char* reason, unsigned count, const int* options, void* const* values) {
  void* buffer = nullptr;
  std::size_t size = 0;
  for (unsigned index = 0; index < count && options != nullptr && values != nullptr; ++index) {
    if (options[index] == jit_error_log_buffer) buffer = values[index];
    if (options[index] == jit_error_log_size) {
      size = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(values[index]));
    }
  }
  if (buffer != nullptr && size > 0) {
    std::snprintf(static_cast<char*>(buffer), size, "%s", reason);
  }
}

void load(CUmodule* module, const void* image, unsigned count, const int* options,
          void* const* values, Context& context) {
  require(module != nullptr && image != nullptr);
  const char* text = static_cast<const char*>(image);
  if (*text != '\0' && is_binary(text)) {
    explain("the CUDA simulator runs no machine code", count, options, values);
    throw Failure{CUDA_ERROR_NO_BINARY_FOR_GPU};
  }
  const auto* code =
      array_interface::find_host_module(array_interface::fnv1a64(text, std::strlen(text)));
  if (code == nullptr) {
    explain(
        "the CUDA simulator runs only the PTX that array-interface itself generated, and this "
        "text is not it",
        count, options, values);
    throw Failure{CUDA_ERROR_INVALID_PTX};
  }
  auto made = std::make_shared<Module>();
  made->context = &context;
  made->code = code;
  *module = reinterpret_cast<CUmodule>(modules().add(std::move(made)));
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return context_call(__func__,
                      [&](Context& context) { load(module, image, 0, nullptr, nullptr, context); });
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, int* options,
                            void** values) {
  return context_call(
      __func__, [&](Context& context) { load(module, image, count, options, values, context); });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return context_call(__func__, [&](Context&) {
    require(function != nullptr && name != nullptr && *name != '\0');
    const auto found = modules().find(reinterpret_cast<std::uintptr_t>(module));
    require(found != nullptr, CUDA_ERROR_INVALID_HANDLE);
    const auto* kernel = array_interface::find_host_kernel(*found->code, name);
    require(kernel != nullptr, CUDA_ERROR_NOT_FOUND);
    auto made = std::make_shared<Function>();
    made->context = found->context;
    made->module = found;
    made->kernel = kernel;
    *function = reinterpret_cast<CUfunction>(functions().add(std::move(made)));
  });
}

CUresult cuModuleUnload(CUmodule module) {
  return context_call(__func__, [&](Context&) {
    const auto removed = modules().remove(reinterpret_cast<std::uintptr_t>(module));
    require(removed != nullptr, CUDA_ERROR_INVALID_HANDLE);
    functions().remove_if([&](const Function& function) { return function.module == removed; });
  });
}
