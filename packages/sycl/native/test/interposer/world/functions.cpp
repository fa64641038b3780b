#include "functions.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace array_interface::sycl::interposer {

namespace {

[[noreturn]] void GiveUp(const std::string& reason) {
  std::fprintf(stderr, "interposer: ARRAY_INTERFACE_INTERPOSER_LIBRARY: %s\n", reason.c_str());
  std::abort();
}

// The addon looks for the OpenCL driver relative to the library that it was given, which is the
// interposer. pip and conda install the driver relative to the real library.
void NameOpenClDriver(const std::string& library) {
  if (getenv("OCL_ICD_FILENAMES") != nullptr || getenv("OCL_ICD_VENDORS") != nullptr) return;
  const std::string folder = library.substr(0, library.find_last_of('/') + 1);
  const std::string driver = folder + "../../../libintelocl.so";
  if (access(driver.c_str(), R_OK) == 0) setenv("OCL_ICD_FILENAMES", driver.c_str(), 0);
}

struct Functions {
  UsedFunctions used;
  MoreFunctions more;

  Functions() {
    const char* file = getenv("ARRAY_INTERFACE_INTERPOSER_LIBRARY");
    if (file == nullptr || *file == '\0') GiveUp("names no library");
    NameOpenClDriver(file);
    // NOLINTNEXTLINE(clang-analyzer-optin.taint.GenericTaint): the test names it
    void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) GiveUp(dlerror());
#define ARRAY_INTERFACE_USED(Result, Name, Parameters) \
  used.Name = reinterpret_cast<Result(*) Parameters>(dlsym(library, "DPCTL" #Name));
    ARRAY_INTERFACE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_USED)
#undef ARRAY_INTERFACE_USED
#define ARRAY_INTERFACE_MORE(Result, Name, Parameters) \
  more.Name = reinterpret_cast<Result(*) Parameters>(dlsym(library, "DPCTL" #Name));
    ARRAY_INTERFACE_MORE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_MORE)
#undef ARRAY_INTERFACE_MORE
  }
};

const Functions& Loaded() {
  static const auto* functions = new Functions();
  return *functions;
}

}  // namespace

const UsedFunctions& real() { return Loaded().used; }
const MoreFunctions& more() { return Loaded().more; }

}  // namespace array_interface::sycl::interposer
