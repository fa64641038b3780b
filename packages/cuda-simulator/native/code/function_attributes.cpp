#include "function_attributes.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/multiprocessor.hpp"

namespace array_interface::cuda_simulator {
namespace {

enum Attribute : int {
  max_threads = 0,
  shared_bytes = 1,
  const_bytes = 2,
  local_bytes = 3,
  registers = 4,
  ptx_version = 5,
  binary_version = 6,
  cache_mode = 7,
  max_dynamic_shared = 8,
  shared_carveout = 9,
  last_attribute = 15,  // the rest concern clusters of blocks, which are not supported
};

constexpr int most_shared_opt_in = 232448;

}  // namespace

int function_attribute(const Function& function, int attribute) {
  require(attribute >= 0 && attribute <= last_attribute);
  if (attribute == max_dynamic_shared) return static_cast<int>(function.most_dynamic_shared);
  if (attribute == shared_carveout) return -1;
  if (attribute == max_threads) return static_cast<int>(function.maximum_threads());
  if (function.interpreted == nullptr) return 0;  // nothing that a compiler reports
  const ptx::Kernel& kernel = *function.interpreted;
  switch (attribute) {
    case shared_bytes:
      return static_cast<int>(kernel.shared_bytes);
    case const_bytes:
      return static_cast<int>(kernel.constant_bytes);
    case local_bytes:
      return static_cast<int>(kernel.function->local_bytes);
    case registers:
      return static_cast<int>(kernel.registers);
    case ptx_version:
      return static_cast<int>(kernel.ptx_version);
    case binary_version:
      return static_cast<int>(kernel.target);
    default:
      return 0;
  }
}

void set_function_attribute(Function& function, int attribute, int value) {
  require(attribute >= max_dynamic_shared && attribute <= last_attribute);
  if (attribute == max_dynamic_shared) {
    require(value >= 0 && value <= most_shared_opt_in);
    function.most_dynamic_shared = static_cast<unsigned>(value);
  }
  require(attribute != shared_carveout || (value >= -1 && value <= 100));
}

void get_parameter(const Function& function, std::size_t index, std::size_t* offset,
                   std::size_t* size) {
  require(index < function.parameters.size());
  if (offset != nullptr) *offset = function.parameters[index].offset;
  if (size != nullptr) *size = function.parameters[index].size;
}

int occupancy(const Function& function, int block, std::size_t dynamic_shared) {
  require(block >= 1);
  if (block > function_attribute(function, max_threads)) return 0;
  const int by_threads = threads_per_multiprocessor / ((block + 31) / 32 * 32);
  const std::size_t shared =
      dynamic_shared + static_cast<std::size_t>(function_attribute(function, shared_bytes)) + 1024;
  const int by_shared = static_cast<int>(std::size_t{shared_per_multiprocessor} / shared);
  return std::min({by_threads, by_shared, blocks_per_multiprocessor});
}

const char* name_of(const Function& function) {
  return function.interpreted != nullptr ? function.interpreted->function->name.c_str()
                                         : function.kernel->name;
}

std::vector<std::string> kernel_names(const Module& module) {
  std::vector<std::string> names;
  if (module.program != nullptr) {
    for (const ptx::Kernel& kernel : module.program->kernels())
      names.push_back(kernel.function->name);
  } else {
    for (std::size_t index = 0; index < module.code->kernel_count; ++index) {
      names.emplace_back(module.code->kernels[index].name);
    }
  }
  return names;
}

void get_variable(const Module& module, const char* name, CUdeviceptr* pointer, std::size_t* size) {
  require(name != nullptr);
  const ptx::Variable* found =
      module.program == nullptr ? nullptr : module.program->find_variable(name);
  require(found != nullptr && found->defined, CUDA_ERROR_NOT_FOUND);
  if (pointer != nullptr) *pointer = found->address;
  if (size != nullptr) *size = found->size;
}

}  // namespace array_interface::cuda_simulator
