#include "code/module.hpp"

#include <algorithm>

#include "base/driver_api.hpp"
#include "code/function_attributes.hpp"
#include "driver/call.hpp"
#include "image.hpp"

using namespace array_interface::cuda_simulator;

namespace {

void load(CUmodule* module, const void* image, const JitOptions& options, Context& context) {
  require(module != nullptr && image != nullptr);
  *module = modules().add(load_image(context, static_cast<const char*>(image), options));
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return context_call(__func__, [&](Context& context) { load(module, image, {}, context); });
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, int* options,
                            void** values) {
  return context_call(__func__, [&](Context& context) {
    load(module, image, {count, options, values}, context);
  });
}

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return context_call(
      __func__, [&](Context& context) { load(module, read_image(path).c_str(), {}, context); });
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return context_call(__func__, [&](Context& context) { load(module, image, {}, context); });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, std::size_t* size, CUmodule module,
                              const char* name) {
  return context_call(__func__,
                      [&](Context&) { get_variable(*modules().get(module), name, pointer, size); });
}

CUresult cuModuleGetLoadingMode(int* mode) {
  return driver_value(__func__, mode, [] { return 1; });  // eager
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return driver_call(__func__, [&] {
    const auto found = modules().find(module);
    require(count != nullptr && found != nullptr, CUDA_ERROR_INVALID_HANDLE);
    *count = static_cast<unsigned>(kernel_names(*found).size());
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction* handles, unsigned count, CUmodule module) {
  return context_call(__func__, [&](Context&) {
    require(handles != nullptr);
    const auto found = modules().get(module);
    const std::vector<std::string> names = kernel_names(*found);
    for (std::size_t index = 0; index < std::min<std::size_t>(count, names.size()); ++index) {
      handles[index] = functions().add(find_function(found, names[index].c_str()));
    }
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return context_value(__func__, function, [&](Context&) {
    require(name != nullptr && *name != '\0');
    return functions().add(find_function(modules().get(module), name));
  });
}

CUresult cuModuleUnload(CUmodule module) {
  return context_call(__func__, [&](Context&) {
    const auto removed = modules().take(module);
    functions().remove_if([&](const Function& function) { return function.module == removed; });
  });
}
