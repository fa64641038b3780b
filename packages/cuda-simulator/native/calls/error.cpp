#include "base/driver_api.hpp"
#include "base/error_names.hpp"
#include "driver/call.hpp"

using namespace array_interface::cuda_simulator;

CUresult cuGetErrorName(CUresult error, const char** name) {
  return plain_call(__func__, [&] {
    require(name != nullptr);
    const ErrorName* row = find_error_name(error);
    *name = row == nullptr ? nullptr : row->name;
    require(row != nullptr);
  });
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  return plain_call(__func__, [&] {
    require(text != nullptr);
    const ErrorName* row = find_error_name(error);
    *text = row == nullptr ? nullptr : row->text;
    require(row != nullptr);
  });
}
