#pragma once

#include <string>

namespace array_interface {

/// Names the OpenCL driver that pip or conda puts in a Python environment to the SYCL runtime,
/// which would find none otherwise: OpenCL's loader looks in /etc alone. It must be called before
/// `import dpctl`. A choice of the user's, OCL_ICD_FILENAMES or OCL_ICD_VENDORS, stays.
void NameSyclDriver(const std::string& prefix);

}  // namespace array_interface
