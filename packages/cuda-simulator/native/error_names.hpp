#pragma once

#include <string>

#include "cuda_abi.hpp"

namespace array_interface::cuda_simulator {

/// Finds an error by its name, with or without CUDA_ERROR_ in front. False if there is none.
bool find_error(const std::string& name, CUresult& error);

}  // namespace array_interface::cuda_simulator
