#pragma once

#include "kernels/layout/strided_copy.hpp"

/// Plants a mistake that the fuzzer must find within seconds, in a copy between buffers:
/// `difference` leaves out the last index of a reversed axis, and `overflow` reads a byte beyond
/// the end. Changes nothing unless the environment variable ARRAY_INTERFACE_PLANTED names one.
array_interface::StridedCopy with_planted(array_interface::StridedCopy copy);

/// Does the same for a copy of arbitrary numbers: `undefined` is an addition that overflows.
void add_planted(const array_interface::StridedCopy& copy);
