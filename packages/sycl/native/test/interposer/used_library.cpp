// The functions of the C library that the addon binds, each exported under its name.

#include "export.hpp"

namespace array_interface::sycl::interposer {

#define ARRAY_INTERFACE_EXPORT_USED(Result, Name, Parameters) \
  ARRAY_INTERFACE_EXPORT(UsedFunctions, Result, Name, Parameters)
ARRAY_INTERFACE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_EXPORT_USED)

}  // namespace array_interface::sycl::interposer
