#pragma once

#include <string>

#include "cuda_abi.hpp"

namespace array_interface::cuda_simulator {

/// An error as the driver describes it.
struct ErrorName {
  int number;
  const char* name;
  const char* text;
};

/// Returns the row of an error, or null if there is no such error.
const ErrorName* find_error_name(CUresult error);

/// Finds an error by name, with or without the prefix CUDA_ERROR_. Returns false if there is none.
bool find_error(const std::string& name, CUresult& error);

/// Returns the driver's name of an error, with the prefix CUDA_ERROR_.
const char* name_of(CUresult error);

}  // namespace array_interface::cuda_simulator
