#include "interpreter/sycl_driver.hpp"

#include <stdlib.h>
#include <unistd.h>

namespace array_interface {

void NameSyclDriver(const std::string& prefix) {
  if (getenv("OCL_ICD_FILENAMES") != nullptr || getenv("OCL_ICD_VENDORS") != nullptr) return;
  const std::string driver = prefix + "/lib/libintelocl.so";
  if (access(driver.c_str(), R_OK) == 0) setenv("OCL_ICD_FILENAMES", driver.c_str(), 0);
}

}  // namespace array_interface
