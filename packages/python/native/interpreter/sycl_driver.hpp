#pragma once

#include <string>

namespace array_interface {

/// Tells the SYCL runtime where pip or conda put the OpenCL driver in a Python environment. It
/// would find none otherwise, since OpenCL's loader searches only /etc. Must be called before
/// `import dpctl`. Respects the user's OCL_ICD_FILENAMES and OCL_ICD_VENDORS.
void NameSyclDriver(const std::string& prefix);

}  // namespace array_interface
