#pragma once

#include <memory>

#include "context.hpp"
#include "handle_table.hpp"
#include "kernels/registry.hpp"

namespace array_interface::cuda_simulator {

/// A loaded module: the host code that stands in for our own PTX.
struct Module {
  Context* context = nullptr;
  const HostModule* code = nullptr;
};

/// A kernel of a module.
struct Function {
  Context* context = nullptr;
  std::shared_ptr<Module> module;
  const HostKernel* kernel = nullptr;
};

HandleTable<Module>& modules();
HandleTable<Function>& functions();

}  // namespace array_interface::cuda_simulator
