#pragma once

#include <memory>
#include <string>

#include "code/module.hpp"
#include "jit_options.hpp"

namespace array_interface::cuda_simulator {

/// Reads a file of code. Throws Failure INVALID_VALUE for a null path, FILE_NOT_FOUND.
std::string read_image(const char* path);

/// Loads a module in a context, as load_module does. Clears the caller's logs, then writes there
/// why the image was refused.
std::shared_ptr<Module> load_image(Context& context, const char* image, const JitOptions& options);

}  // namespace array_interface::cuda_simulator
