// The functions of the C library that only tests call. If the addon comes to bind one of them,
// used_library.cpp exports it, too, and both are the same (muldefs in CMakeLists.txt).

#include "export.hpp"

namespace array_interface::sycl::interposer {

#define ARRAY_INTERFACE_EXPORT_MORE(Result, Name, Parameters) \
  ARRAY_INTERFACE_EXPORT(MoreFunctions, Result, Name, Parameters)
ARRAY_INTERFACE_MORE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_EXPORT_MORE)

}  // namespace array_interface::sycl::interposer
