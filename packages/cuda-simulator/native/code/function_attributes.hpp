#pragma once

#include <string>
#include <vector>

#include "module.hpp"

namespace array_interface::cuda_simulator {

/// Returns a CU_FUNC_ATTRIBUTE. Throws Failure INVALID_VALUE for an unknown one.
int function_attribute(const Function& function, int attribute);

/// Sets a writable attribute. Throws Failure INVALID_VALUE for any other.
void set_function_attribute(Function& function, int attribute, int value);

/// Returns the offset and size of a parameter. Either target may be null. Throws Failure
/// INVALID_VALUE for an index past the last.
void get_parameter(const Function& function, std::size_t index, std::size_t* offset,
                   std::size_t* size);

/// Returns how many blocks of so many threads run on one multiprocessor at a time.
int occupancy(const Function& function, int block, std::size_t dynamic_shared);

/// Returns the kernel's name. It is valid as long as the function is.
const char* name_of(const Function& function);

std::vector<std::string> kernel_names(const Module& module);

/// Finds a variable. Either target may be null. Throws Failure NOT_FOUND.
void get_variable(const Module& module, const char* name, CUdeviceptr* pointer, std::size_t* size);

}  // namespace array_interface::cuda_simulator
