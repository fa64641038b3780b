#include "module.hpp"

#include <algorithm>
#include <cstring>

#include "base/failure.hpp"
#include "ptx/parse/parser.hpp"
#include "state/context.hpp"

namespace array_interface::cuda_simulator {
namespace {

using array_interface::HostKernel;

/// Whether the image is machine code rather than PTX text: an ELF file or a fat binary.
bool is_binary(const char* image) {
  return std::strncmp(image,
                      "\x7f"
                      "ELF",
                      4) == 0 ||
         std::strncmp(image, "\x50\xed\x55\xba", 4) == 0;
}

void place_variables(Context& context, Module& module) {
  const auto allocate = [&](const std::vector<std::size_t>& sizes) {
    module.variables = allocations().make_variables(context, context.device, sizes);
    std::vector<std::uint64_t> addresses(sizes.size());
    std::transform(module.variables.begin(), module.variables.end(), addresses.begin(),
                   [](const AllocationPtr& variable) { return variable->start(); });
    return addresses;
  };
  const auto write = [&](std::size_t index, const std::vector<std::byte>& bytes) {
    std::copy(bytes.begin(), bytes.end(), module.variables[index]->region.backing);
  };
  module.program->place(allocate, write);
}

/// Lays out parameters of host code as in PTX, each aligned to its size.
void lay_out_parameters(const HostKernel& kernel, Function& function) {
  for (std::size_t index = 0; index < kernel.argument_count; ++index) {
    const std::size_t size = kernel.argument_sizes[index];
    function.parameters.push_back(ptx::place_parameter(function.parameter_bytes, size, size));
  }
}

}  // namespace

Module::~Module() {
  for (const AllocationPtr& variable : variables) {
    allocations().remove(variable->start(), {Allocation::Kind::device});
  }
}

std::shared_ptr<Module> load_module(Context& context, const char* image, std::string& reason) {
  if (is_binary(image)) {
    reason = "the CUDA simulator runs PTX text, got machine code";
    throw Failure{CUDA_ERROR_NO_BINARY_FOR_GPU};
  }
  auto module = std::make_shared<Module>();
  module->context = &context;
  const std::size_t length = std::strlen(image);
  const auto found = array_interface::find_host_module({image, length});
  module->code = found.module;
  module->conversion = found.conversion;
  if (module->code != nullptr) return module;
  try {
    module->program = ptx::load_program({image, length});
  } catch (const ptx::Refusal& refusal) {
    reason = std::string("the CUDA simulator refuses this PTX: ") + refusal.what();
    throw Failure{CUDA_ERROR_INVALID_PTX};
  }
  place_variables(context, *module);
  return module;
}

std::shared_ptr<Function> find_function(const std::shared_ptr<Module>& module, const char* name) {
  auto function = std::make_shared<Function>();
  function->context = module->context;
  function->module = module;
  if (module->code != nullptr) {
    function->kernel = array_interface::find_host_kernel(*module->code, name);
    require(function->kernel != nullptr, CUDA_ERROR_NOT_FOUND);
    lay_out_parameters(*function->kernel, *function);
  } else {
    function->interpreted = module->program->find_kernel(name);
    require(function->interpreted != nullptr, CUDA_ERROR_NOT_FOUND);
    function->parameters = function->interpreted->function->parameters;
    function->parameter_bytes = function->interpreted->function->formal_bytes;
  }
  return function;
}

}  // namespace array_interface::cuda_simulator
