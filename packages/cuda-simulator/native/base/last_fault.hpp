#pragma once

#include <string>

#include "cuda_abi.hpp"

namespace array_interface::cuda_simulator {

/// Tells a fault of device work on stderr, and keeps the text for cuGetErrorString.
void note_fault(CUresult error, const std::string& text);

/// Returns the error's description with the text of its last fault, or null if it had none. The
/// text is never freed.
const char* fault_text(CUresult error);

}  // namespace array_interface::cuda_simulator
