#include "code/library.hpp"

#include <algorithm>

#include "base/driver_api.hpp"
#include "code/function_attributes.hpp"
#include "driver/call.hpp"
#include "image.hpp"

using namespace array_interface::cuda_simulator;

namespace {

/// Loads the library in the current context at once, so that this call reports all errors.
void load(CUlibrary* handle, const char* image, const JitOptions& options, Context& context) {
  require(handle != nullptr);
  auto library = std::make_shared<Library>();
  library->image = image;
  library->kernels = kernel_names(*load_image(context, image, options));
  *handle = libraries().add(std::move(library));
}

CUkernel handle_of(const std::shared_ptr<Library>& library, const std::string& name) {
  auto kernel = std::make_shared<LibraryKernel>();
  kernel->library = library;
  kernel->name = name;
  return library_kernels().add(std::move(kernel));
}

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, int* options, void** values,
                           unsigned count, int*, void**, unsigned) {
  return context_call(__func__, [&](Context& context) {
    require(code != nullptr);
    load(library, static_cast<const char*>(code), {count, options, values}, context);
  });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, int* options, void** values,
                               unsigned count, int*, void**, unsigned) {
  return context_call(__func__, [&](Context& context) {
    load(library, read_image(path).c_str(), {count, options, values}, context);
  });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return driver_call(__func__, [&] {
    const auto removed = libraries().take(library);
    removed->end_handles();
    library_kernels().remove_if(
        [&](const LibraryKernel& kernel) { return kernel.library == removed; });
  });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return driver_value(__func__, kernel, [&] {
    require(name != nullptr);
    const auto found = libraries().get(library);
    const auto& names = found->kernels;
    require(std::find(names.begin(), names.end(), name) != names.end(), CUDA_ERROR_NOT_FOUND);
    return handle_of(found, name);
  });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return driver_value(__func__, count, [&] {
    return static_cast<unsigned>(libraries().get(library)->kernels.size());
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
  return driver_call(__func__, [&] {
    require(kernels != nullptr);
    const auto found = libraries().get(library);
    for (std::size_t index = 0; index < std::min<std::size_t>(count, found->kernels.size());
         ++index) {
      kernels[index] = handle_of(found, found->kernels[index]);
    }
  });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return context_value(__func__, module, [&](Context& context) {
    return libraries().get(library)->handle_in(context);
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, std::size_t* size, CUlibrary library,
                            const char* name) {
  return context_call(__func__, [&](Context& context) {
    get_variable(*libraries().get(library)->module_in(context), name, pointer, size);
  });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return context_value(__func__, function, [&](Context& context) {
    return library_kernels().get(kernel)->handle_in(context);
  });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return driver_value(__func__, library, [&] {
    return libraries().handle_of(library_kernels().get(kernel)->library);
  });
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return driver_value(__func__, name, [&] { return library_kernels().get(kernel)->name.c_str(); });
}

CUresult cuKernelGetAttribute(int* value, int attribute, CUkernel kernel, CUdevice device) {
  return context_value(__func__, value, [&](Context& context) {
    context_of(device);
    return function_attribute(*library_kernels().get(kernel)->function_in(context), attribute);
  });
}

CUresult cuKernelSetAttribute(int attribute, int value, CUkernel kernel, CUdevice device) {
  return context_call(__func__, [&](Context& context) {
    context_of(device);
    set_function_attribute(*library_kernels().get(kernel)->function_in(context), attribute, value);
  });
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device) {
  return driver_call(__func__, [&] {
    context_of(device);
    library_kernels().get(kernel);
    require(config >= 0 && config <= 3);
  });
}

CUresult cuKernelGetParamInfo(CUkernel kernel, std::size_t index, std::size_t* offset,
                              std::size_t* size) {
  return context_call(__func__, [&](Context& context) {
    get_parameter(*library_kernels().get(kernel)->function_in(context), index, offset, size);
  });
}

CUresult cuKernelGetParamCount(CUkernel kernel, std::size_t* count) {
  return context_value(__func__, count, [&](Context& context) {
    return library_kernels().get(kernel)->function_in(context)->parameters.size();
  });
}

// PTX text that the simulator accepts has neither managed variables nor unified functions.

CUresult cuLibraryGetManaged(CUdeviceptr*, std::size_t*, CUlibrary library, const char* name) {
  return driver_call(__func__, [&] {
    libraries().get(library);
    require(name != nullptr);
    throw Failure{CUDA_ERROR_NOT_FOUND};
  });
}

CUresult cuLibraryGetUnifiedFunction(void** function, CUlibrary library, const char* name) {
  return driver_call(__func__, [&] {
    libraries().get(library);
    require(function != nullptr && name != nullptr);
    throw Failure{CUDA_ERROR_NOT_FOUND};
  });
}
