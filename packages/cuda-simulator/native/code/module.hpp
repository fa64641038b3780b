#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/handle_table.hpp"
#include "kernels/emulator/registry.hpp"
#include "memory/allocation_table.hpp"
#include "ptx/program/program.hpp"
#include "state/context.hpp"

namespace array_interface::cuda_simulator {

/// A loaded module: host code for the project's own PTX, or other PTX to interpret.
struct Module {
  ~Module();

  Context* context = nullptr;
  const HostModule* code = nullptr;       ///< null for interpreted PTX
  std::uint32_t conversion = 0;           ///< what `code` is specialised for
  std::unique_ptr<ptx::Program> program;  ///< null if `code` is set
  std::vector<AllocationPtr> variables;   ///< of `program`, in global memory
};

/// What launches of the first interface keep in a function.
struct FirstLaunch {
  std::mutex mutex;
  std::array<unsigned, 3> block{1, 1, 1};
  unsigned shared = 0;
  std::vector<std::byte> arguments;
};

/// A kernel of a module.
struct Function {
  Context* context = nullptr;
  std::shared_ptr<Module> module;
  const HostKernel* kernel = nullptr;                ///< null for interpreted PTX
  const ptx::Kernel* interpreted = nullptr;          ///< null if `kernel` is set
  std::vector<ptx::Parameter> parameters;            ///< their layout in one buffer
  std::size_t parameter_bytes = 0;                   ///< of that buffer
  std::atomic<unsigned> most_dynamic_shared{49152};  ///< maximum bytes that a launch may request

  FirstLaunch first_launch;

  unsigned maximum_threads() const {
    return interpreted == nullptr ? 1024 : interpreted->function->maximum_threads;
  }
};

inline HandleTable<Module, CUmodule>& modules() {
  return immortal<HandleTable<Module, CUmodule>, 0x3D>();
}

inline HandleTable<Function, CUfunction>& functions() {
  return immortal<HandleTable<Function, CUfunction>, 0xF1>();
}

/// Loads PTX text. Refuses machine code. Throws Failure, and stores the reason in `reason`.
std::shared_ptr<Module> load_module(Context& context, const char* image, std::string& reason);

/// Finds a kernel. Throws Failure NOT_FOUND.
std::shared_ptr<Function> find_function(const std::shared_ptr<Module>& module, const char* name);

}  // namespace array_interface::cuda_simulator
