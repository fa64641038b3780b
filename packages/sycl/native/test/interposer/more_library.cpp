// The functions of the C library that only tests call. One that our addon comes to bind is exported
// by used_library.cpp too, and is the same (muldefs in CMakeLists.txt).

#include "export.hpp"

namespace array_interface::sycl::interposer {

#define ARRAY_INTERFACE_EXPORT_MORE(Result, Name, Parameters) \
  ARRAY_INTERFACE_EXPORT(MoreFunctions, Result, Name, Parameters)
ARRAY_INTERFACE_MORE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_EXPORT_MORE)

}  // namespace array_interface::sycl::interposer
