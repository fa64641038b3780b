#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "state.hpp"

// Kernels and variables that a compiler registered, by the addresses of their host functions. Code
// is loaded if it is PTX text. A fat binary is not looked into, whether it has machine code or PTX.

using namespace array_interface::cuda_runtime;

extern "C" {
__attribute__((visibility("default"))) cudaError_t cudaMemcpy(void*, const void*, std::size_t, int);
__attribute__((visibility("default"))) cudaError_t cudaMemcpyAsync(void*, const void*, std::size_t,
                                                                   int, cudaStream_t);
}

namespace {

/// What a compiler puts around the code of a file.
struct Wrapper {
  int magic;
  int version;
  const void* code;
  void* file_name;
};

struct Loaded {
  CUcontext context;
  CUmodule module;
};

/// A variable of managed memory: the program reads it through a pointer.
struct ManagedVariable {
  void** pointer;
  std::string name;
};

struct Binary {
  const void* code = nullptr;
  bool is_reported = false;
  std::vector<ManagedVariable> managed;
  /// By the context's id: a reset device has the same handle, and no module.
  std::map<unsigned long long, Loaded> modules;
};

struct Symbol {
  Binary* binary = nullptr;
  std::string name;
};

using Symbols = std::map<const void*, Symbol>;

struct Registry {
  std::recursive_mutex mutex;
  std::list<Binary> binaries;
  Symbols functions;
  Symbols variables;
};

/// Outlives every thread, and the destructors of other libraries that unregister.
Registry& registry() {
  static Registry& registry = *new Registry;
  return registry;
}

using Lock = std::lock_guard<std::recursive_mutex>;

/// Returns the binary of a handle. Null if there is none, or none any longer: the last ones are
/// asked for the most.
Binary* find_binary(void** handle) {
  std::list<Binary>& all = registry().binaries;
  const void* const wanted = handle;
  const auto is_it = [wanted](const Binary& one) { return &one == wanted; };
  const auto found = std::find_if(all.rbegin(), all.rend(), is_it);
  return found == all.rend() ? nullptr : &*found;
}

/// Skips white space and comments.
const char* first_word(const char* text) {
  for (;;) {
    text += std::strspn(text, " \t\r\n");
    const bool is_line = std::strncmp(text, "//", 2) == 0;
    const bool is_block = std::strncmp(text, "/*", 2) == 0;
    if (!is_line && !is_block) return text;
    const char* const end = std::strstr(text + 2, is_line ? "\n" : "*/");
    if (end == nullptr) return "";
    text = end + (is_line ? 1 : 2);
  }
}

bool is_text(const void* code) {
  constexpr char start[] = ".version";
  return code != nullptr &&
         std::strncmp(first_word(static_cast<const char*>(code)), start, sizeof start - 1) == 0;
}

/// Whether the process ends. Then the driver may have ended: the first load asks to be told after
/// the driver did, and so is told before it.
std::atomic<bool> is_ending{false};

constexpr auto no_function = static_cast<CUresult>(cudaErrorInvalidDeviceFunction);
constexpr auto no_symbol = static_cast<CUresult>(cudaErrorInvalidSymbol);

/// Lets the program's pointers to managed variables point to those of a module.
void point_to(const Binary& binary, CUmodule module) {
  for (const ManagedVariable& variable : binary.managed) {
    auto* const target = reinterpret_cast<CUdeviceptr*>(variable.pointer);
    cuModuleGetGlobal_v2(target, nullptr, module, variable.name.c_str());
  }
}

/// Whether a module's context still is what it was.
bool is_live(unsigned long long id, const Loaded& loaded) {
  unsigned long long now = 0;
  return cuCtxGetId(loaded.context, &now) == CUDA_SUCCESS && now == id;
}

/// Whether a program's pointers to managed variables point into another context, where they stay.
bool is_elsewhere(const Binary& binary) {
  if (binary.managed.empty()) return false;
  const auto is_one = [](const auto& one) { return is_live(one.first, one.second); };
  return std::any_of(binary.modules.begin(), binary.modules.end(), is_one);
}

/// Loads a binary in the current context.
CUresult load(Binary& binary, CUmodule* module, CUresult none) {
  static const int noted = std::atexit([] { is_ending = true; });
  static_cast<void>(noted);
  CUcontext context = nullptr;
  unsigned long long id = 0;
  const CUresult result =
      in_turn([&] { return cuCtxGetCurrent(&context); }, [&] { return cuCtxGetId(context, &id); });
  if (result != CUDA_SUCCESS) return result;
  const auto known = binary.modules.find(id);
  if (known != binary.modules.end()) {
    *module = known->second.module;
    return CUDA_SUCCESS;
  }
  if (!is_text(binary.code)) return none;
  if (is_elsewhere(binary)) {
    std::fprintf(stderr,
                 "cuda-simulator: managed variable '%s' is in memory of the first device that used "
                 "its file: reset that one before another uses it\n",
                 binary.managed.front().name.c_str());
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  const CUresult loaded = cuModuleLoadData(module, binary.code);
  if (loaded != CUDA_SUCCESS) return loaded;
  binary.modules[id] = {context, *module};
  point_to(binary, *module);
  return CUDA_SUCCESS;
}

/// Unloads a binary from the contexts that still are what they were.
void unload(const Binary& binary) {
  for (const auto& [id, loaded] : binary.modules) {
    if (!is_live(id, loaded) || cuCtxPushCurrent_v2(loaded.context) != CUDA_SUCCESS) continue;
    cuModuleUnload(loaded.module);
    CUcontext popped = nullptr;
    cuCtxPopCurrent_v2(&popped);
  }
}

CUresult find_function(const void* host_function, CUfunction* function) {
  const Lock lock(registry().mutex);
  const auto found = registry().functions.find(host_function);
  if (found == registry().functions.end()) return no_function;
  Symbol& symbol = found->second;
  CUmodule module = nullptr;
  const CUresult result = load(*symbol.binary, &module, no_function);
  if (result == no_function && !symbol.binary->is_reported) {
    symbol.binary->is_reported = true;
    std::fprintf(
        stderr,
        "cuda-simulator: kernel '%s' and others of its file come in a fat binary, which is "
        "not looked into: only PTX text runs here\n",
        symbol.name.c_str());
  }
  if (result != CUDA_SUCCESS) return result;
  return cuModuleGetFunction(function, module, symbol.name.c_str());
}

/// Whether the current device can launch blocks and grids of these sizes.
bool fits(const dim3& grid, const dim3& block) {
  CUdevice device = 0;
  cuCtxGetDevice(&device);
  const auto most = [device](int attribute) {
    int value = 0;
    cuDeviceGetAttribute(&value, attribute, device);
    return static_cast<unsigned>(value);
  };
  constexpr int block_axes = 2;
  constexpr int grid_axes = 5;
  const auto each_fits = [&](const dim3& size, int first) {
    const unsigned axes[] = {size.x, size.y, size.z};
    for (int axis = 0; axis < 3; ++axis) {
      if (axes[axis] == 0 || axes[axis] > most(first + axis)) return false;
    }
    return true;
  };
  return each_fits(block, block_axes) && each_fits(grid, grid_axes) &&
         static_cast<std::uint64_t>(block.x) * block.y * block.z <= most(1);
}

/// The result of a launch. What no device can launch is an invalid value to the driver.
CUresult launched(CUresult result, const dim3& grid, const dim3& block) {
  if (result != CUDA_ERROR_INVALID_VALUE || fits(grid, block)) return result;
  return static_cast<CUresult>(cudaErrorInvalidConfiguration);
}

CUresult find_variable(const void* host_variable, CUdeviceptr* pointer, std::size_t* size) {
  const Lock lock(registry().mutex);
  const auto found = registry().variables.find(host_variable);
  if (found == registry().variables.end()) return no_symbol;
  CUmodule module = nullptr;
  const CUresult result = load(*found->second.binary, &module, no_symbol);
  if (result != CUDA_SUCCESS) return result;
  return cuModuleGetGlobal_v2(pointer, size, module, found->second.name.c_str());
}

/// Calls with the driver's function of a host function.
template <class Body>
cudaError_t with_function(const void* host_function, Body body) {
  return call([&] {
    CUfunction function = nullptr;
    return in_turn([&] { return find_function(host_function, &function); },
                   [&] { return body(function); });
  });
}

/// The shape between the brackets of a call, until the call itself comes.
struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared;
  void* stream;
};

thread_local std::vector<Configuration> configurations;

/// Returns the symbol's binary, or null if it is not added.
Binary* add(Symbols& symbols, const void* on_host, void** handle, const char* name) {
  Binary* const binary = name == nullptr ? nullptr : find_binary(handle);
  if (binary != nullptr) symbols[on_host] = {binary, name};
  return binary;
}

void forget(Symbols& symbols, const Binary* binary) {
  for (auto entry = symbols.begin(); entry != symbols.end();) {
    entry = entry->second.binary == binary ? symbols.erase(entry) : std::next(entry);
  }
}

CUresult attributes_of(CUfunction function, cudaFuncAttributes* target) {
  if (target == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *target = {};
  int shared = 0;
  int constant = 0;
  int local = 0;
  const auto get = [&](int number, int* value) {
    return [=] { return cuFuncGetAttribute(value, number, function); };
  };
  const CUresult result =
      in_turn(get(0, &target->maxThreadsPerBlock), get(1, &shared), get(2, &constant),
              get(3, &local), get(4, &target->numRegs), get(5, &target->ptxVersion),
              get(6, &target->binaryVersion), get(7, &target->cacheModeCA),
              get(8, &target->maxDynamicSharedSizeBytes), get(9, &target->preferredShmemCarveout));
  target->sharedSizeBytes = static_cast<std::size_t>(shared);
  target->constSizeBytes = static_cast<std::size_t>(constant);
  target->localSizeBytes = static_cast<std::size_t>(local);
  return result;
}

/// Copies from or to `size` bytes at an offset of a variable.
template <class Copy>
cudaError_t with_symbol(const void* symbol, std::size_t size, std::size_t offset, Copy copy) {
  CUdeviceptr pointer = 0;
  std::size_t whole = 0;
  const cudaError_t found = call([&] { return find_variable(symbol, &pointer, &whole); });
  if (found != cudaSuccess) return found;
  if (offset > whole || size > whole - offset) return note(cudaErrorInvalidValue);
  return copy(reinterpret_cast<void*>(pointer + offset));
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names that compiled programs call
#define CUDART_INTERNAL extern "C" __attribute__((visibility("default")))

CUDART_INTERNAL void** __cudaRegisterFatBinary(void* wrapper) {
  const Lock lock(registry().mutex);
  Binary& binary = registry().binaries.emplace_back();
  if (wrapper != nullptr) binary.code = static_cast<const Wrapper*>(wrapper)->code;
  return reinterpret_cast<void**>(&binary);
}

CUDART_INTERNAL void __cudaRegisterFatBinaryEnd(void**) {}

CUDART_INTERNAL void __cudaUnregisterFatBinary(void** handle) {
  const Lock lock(registry().mutex);
  Binary* const binary = find_binary(handle);
  if (binary == nullptr) return;
  if (!is_ending) unload(*binary);
  forget(registry().functions, binary);
  forget(registry().variables, binary);
  registry().binaries.remove_if([binary](const Binary& one) { return &one == binary; });
}

CUDART_INTERNAL void __cudaRegisterFunction(void** handle, const char* host_function, char*,
                                            const char* name, int, void*, void*, void*, void*,
                                            int*) {
  const Lock lock(registry().mutex);
  add(registry().functions, host_function, handle, name);
}

CUDART_INTERNAL void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* name,
                                       int, std::size_t, int, int) {
  const Lock lock(registry().mutex);
  add(registry().variables, host_variable, handle, name);
}

CUDART_INTERNAL void __cudaRegisterManagedVar(void** handle, void** host_variable, char*,
                                              const char* name, int, std::size_t, int, int) {
  const Lock lock(registry().mutex);
  Binary* const binary = add(registry().variables, host_variable, handle, name);
  if (binary == nullptr || host_variable == nullptr) return;
  binary->managed.push_back({host_variable, name});
}

/// Compiled programs call it before the first use of a managed variable.
CUDART_INTERNAL char __cudaInitModule(void** handle) {
  const Lock lock(registry().mutex);
  Binary* const binary = find_binary(handle);
  CUmodule module = nullptr;
  if (binary == nullptr || bind() != CUDA_SUCCESS) return 0;
  return load(*binary, &module, no_symbol) == CUDA_SUCCESS ? 1 : 0;
}

CUDART_INTERNAL unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                                     void* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

CUDART_INTERNAL cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared,
                                                       void* stream) {
  if (grid == nullptr || block == nullptr || shared == nullptr || stream == nullptr) {
    return note(cudaErrorInvalidValue);
  }
  if (configurations.empty()) return note(cudaErrorMissingConfiguration);
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<void**>(stream) = last.stream;
  return cudaSuccess;
}
// NOLINTEND(bugprone-reserved-identifier)

CUDART_EXPORT cudaLaunchKernel(const void* host_function, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return with_function(host_function, [&](CUfunction function) {
    const CUresult result =
        cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                       static_cast<unsigned>(shared), named(stream), arguments, nullptr);
    return launched(result, grid, block);
  });
}

#if CUDART_MAJOR >= 13
// What compiled programs call from 13 on. A kernel is known by its host function here, too.
// NOLINTBEGIN(bugprone-reserved-identifier): the names that compiled programs call
CUDART_INTERNAL cudaError_t __cudaGetKernel(const void** kernel, const void* host_function) {
  if (kernel == nullptr) return note(cudaErrorInvalidValue);
  *kernel = host_function;
  return cudaSuccess;
}

CUDART_INTERNAL cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block,
                                               void** arguments, std::size_t shared,
                                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
// NOLINTEND(bugprone-reserved-identifier)
#endif
CUDART_PER_THREAD(cudaLaunchKernel, _ptsz,
                  (const void* host_function, dim3 grid, dim3 block, void** arguments,
                   std::size_t shared, cudaStream_t stream),
                  (host_function, grid, block, arguments, shared, stream))

CUDART_EXPORT cudaLaunchCooperativeKernel(const void* host_function, dim3 grid, dim3 block,
                                          void** arguments, std::size_t shared,
                                          cudaStream_t stream) {
  return with_function(host_function, [&](CUfunction function) {
    const CUresult result =
        cuLaunchCooperativeKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                  static_cast<unsigned>(shared), named(stream), arguments);
    return launched(result, grid, block);
  });
}
CUDART_PER_THREAD(cudaLaunchCooperativeKernel, _ptsz,
                  (const void* host_function, dim3 grid, dim3 block, void** arguments,
                   std::size_t shared, cudaStream_t stream),
                  (host_function, grid, block, arguments, shared, stream))

CUDART_EXPORT cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* host_function,
                                  void** arguments) {
  if (config == nullptr) return note(cudaErrorInvalidValue);
  return with_function(host_function, [&](CUfunction function) {
    const CUlaunchConfig own{config->gridDim.x,
                             config->gridDim.y,
                             config->gridDim.z,
                             config->blockDim.x,
                             config->blockDim.y,
                             config->blockDim.z,
                             static_cast<unsigned>(config->dynamicSmemBytes),
                             named(config->stream),
                             config->attrs,
                             config->numAttrs};
    return launched(cuLaunchKernelEx(&own, function, arguments, nullptr), config->gridDim,
                    config->blockDim);
  });
}
CUDART_PER_THREAD(cudaLaunchKernelExC, _ptsz,
                  (const cudaLaunchConfig_t* config, const void* host_function, void** arguments),
                  (config, host_function, arguments))

CUDART_EXPORT cudaGetFuncBySymbol(CUfunction* function, const void* host_function) {
  return call([&] {
    return function == nullptr ? CUDA_ERROR_INVALID_VALUE : find_function(host_function, function);
  });
}

CUDART_EXPORT cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host_function) {
  return with_function(host_function,
                       [&](CUfunction function) { return attributes_of(function, attributes); });
}

CUDART_EXPORT cudaFuncSetAttribute(const void* host_function, int attribute, int value) {
  return with_function(host_function, [&](CUfunction function) {
    return cuFuncSetAttribute(function, attribute, value);
  });
}

CUDART_EXPORT cudaFuncSetCacheConfig(const void* host_function, int config) {
  return with_function(host_function,
                       [&](CUfunction function) { return cuFuncSetCacheConfig(function, config); });
}

CUDART_EXPORT cudaFuncSetSharedMemConfig(const void* host_function, int config) {
  return with_function(host_function, [&](CUfunction function) {
    return cuFuncSetSharedMemConfig(function, config);
  });
}

CUDART_EXPORT cudaFuncGetName(const char** name, const void* host_function) {
  return with_function(host_function,
                       [&](CUfunction function) { return cuFuncGetName(name, function); });
}

CUDART_EXPORT cudaFuncGetParamInfo(const void* host_function, std::size_t index,
                                   std::size_t* offset, std::size_t* size) {
  return with_function(host_function, [&](CUfunction function) {
    return cuFuncGetParamInfo(function, index, offset, size);
  });
}

CUDART_EXPORT cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host_function,
                                                            int block, std::size_t shared) {
  return with_function(host_function, [&](CUfunction function) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, shared);
  });
}

CUDART_EXPORT cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                     const void* host_function,
                                                                     int block, std::size_t shared,
                                                                     unsigned flags) {
  return with_function(host_function, [&](CUfunction function) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block, shared,
                                                                flags);
  });
}

CUDART_EXPORT cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* size,
                                                        const void* host_function, int blocks,
                                                        int block) {
  return with_function(host_function, [&](CUfunction function) {
    return cuOccupancyAvailableDynamicSMemPerBlock(size, function, blocks, block);
  });
}

CUDART_EXPORT cudaGetSymbolAddress(void** pointer, const void* symbol) {
  if (pointer == nullptr) return note(cudaErrorInvalidValue);
  return call(
      [&] { return find_variable(symbol, reinterpret_cast<CUdeviceptr*>(pointer), nullptr); });
}

CUDART_EXPORT cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  if (size == nullptr) return note(cudaErrorInvalidValue);
  return call([&] { return find_variable(symbol, nullptr, size); });
}

CUDART_EXPORT cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size,
                                 std::size_t offset, int kind) {
  return with_symbol(symbol, size, offset,
                     [&](void* place) { return cudaMemcpy(place, from, size, kind); });
}
CUDART_PER_THREAD(cudaMemcpyToSymbol, _ptds,
                  (const void* symbol, const void* from, std::size_t size, std::size_t offset,
                   int kind),
                  (symbol, from, size, offset, kind))

CUDART_EXPORT cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size,
                                      std::size_t offset, int kind, cudaStream_t stream) {
  return with_symbol(symbol, size, offset,
                     [&](void* place) { return cudaMemcpyAsync(place, from, size, kind, stream); });
}
CUDART_PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz,
                  (const void* symbol, const void* from, std::size_t size, std::size_t offset,
                   int kind, cudaStream_t stream),
                  (symbol, from, size, offset, kind, stream))

CUDART_EXPORT cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t size,
                                   std::size_t offset, int kind) {
  return with_symbol(symbol, size, offset,
                     [&](void* place) { return cudaMemcpy(to, place, size, kind); });
}
CUDART_PER_THREAD(cudaMemcpyFromSymbol, _ptds,
                  (void* to, const void* symbol, std::size_t size, std::size_t offset, int kind),
                  (to, symbol, size, offset, kind))

CUDART_EXPORT cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size,
                                        std::size_t offset, int kind, cudaStream_t stream) {
  return with_symbol(symbol, size, offset,
                     [&](void* place) { return cudaMemcpyAsync(to, place, size, kind, stream); });
}
CUDART_PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz,
                  (void* to, const void* symbol, std::size_t size, std::size_t offset, int kind,
                   cudaStream_t stream),
                  (to, symbol, size, offset, kind, stream))
