#pragma once

#include "kernels/layout/strided_copy.hpp"

/// Mistakes that the fuzzer must find within seconds, in a copy between buffers: `difference`,
/// which leaves the last index of a reversed axis out, and `overflow`, which reads a byte beyond.
/// Changes nothing unless the environment's ARRAY_INTERFACE_PLANTED names one.
array_interface::StridedCopy with_planted(array_interface::StridedCopy copy);

/// The same for a copy that nothing is known of: `undefined`, which adds up what no 63 bits hold.
void add_planted(const array_interface::StridedCopy& copy);
