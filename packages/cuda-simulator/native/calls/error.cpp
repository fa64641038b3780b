#include "base/driver_api.hpp"
#include "base/error_names.hpp"
#include "base/last_fault.hpp"
#include "driver/call.hpp"

using namespace array_interface::cuda_simulator;

namespace {

CUresult describe(const char* symbol, CUresult error, const char** target,
                  const char* ErrorName::*part) {
  return plain_call(symbol, [&] {
    require(target != nullptr);
    const ErrorName* row = find_error_name(error);
    *target = row == nullptr ? nullptr : row->*part;
    const char* const fault = part == &ErrorName::text ? fault_text(error) : nullptr;
    if (fault != nullptr) *target = fault;
    require(row != nullptr);
  });
}

}  // namespace

CUresult cuGetErrorName(CUresult error, const char** name) {
  return describe(__func__, error, name, &ErrorName::name);
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  return describe(__func__, error, text, &ErrorName::text);
}
