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

/// The row of an error, or null where there is no such error.
const ErrorName* find_error_name(CUresult error);

/// Finds an error by its name, with or without CUDA_ERROR_ in front. False: there is none.
bool find_error(const std::string& name, CUresult& error);

/// The driver's name of an error, CUDA_ERROR_ in front.
const char* name_of(CUresult error);

}  // namespace array_interface::cuda_simulator
