#pragma once

#include <cstddef>

#include "kernels/layout/strided_copy.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Reads the numbers of core's `encodePlan`, and throws ERR_TYPE for any other value. Checks
/// neither the addresses nor what validate() does.
StridedCopy ReadPlan(const Napi::Value& value);

/// Throws ERR_OUT_OF_BOUNDS unless the plan stays within a block of `size` bytes. The plan's
/// offsets count from the first byte of the block. Checks what the plan reads if `source`,
/// otherwise what it writes.
void CheckWithin(Napi::Env env, const StridedCopy& copy, bool source, std::size_t size,
                 const char* path);

}  // namespace array_interface
