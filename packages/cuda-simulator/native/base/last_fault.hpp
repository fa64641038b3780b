#pragma once

#include <string>

#include "failure.hpp"

namespace array_interface::cuda_simulator {

/// Tells a fault of device work on stderr, and throws it with the text for cuGetErrorString.
[[noreturn]] void throw_fault(CUresult error, const std::string& text);

/// Notes with what text, if any, a call of this thread failed.
void note_failure(const Failure& failure) noexcept;

/// Returns the text of the failure that this thread's calls last returned with this error, or null
/// if that had none.
const char* fault_text(CUresult error);

}  // namespace array_interface::cuda_simulator
