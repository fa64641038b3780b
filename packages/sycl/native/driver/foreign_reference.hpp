#pragma once

namespace array_interface::sycl {

/// Whether the object at an address is of the same class of the same SYCL runtime as `known`, and
/// alive, as far as its memory tells. Queues and contexts are shared pointers, whose counters have
/// one table of functions for each class. Takes any address, since it reads no memory that the
/// process does not have. An ended object is told apart, unless its memory now holds a live one.
/// Throws SyclError ERR_SYCLOBJ where the process may open no pipe.
bool IsAliveLike(const void* candidate, const void* known);

}  // namespace array_interface::sycl
