#pragma once

namespace array_interface::sycl {

/// Whether the object at an address is a live object of the same class and SYCL runtime as `known`,
/// as far as its memory shows. Queues and contexts are shared pointers, whose control blocks have
/// one virtual table for each class. Takes any address, since it reads no memory that the process
/// does not have. Recognises an ended object, unless its memory now holds a live one. Throws
/// SyclError ERR_SYCLOBJ if the process cannot open a pipe.
bool IsAliveLike(const void* candidate, const void* known);

}  // namespace array_interface::sycl
