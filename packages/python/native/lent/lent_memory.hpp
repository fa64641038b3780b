#pragma once

#include <cstddef>
#include <memory>

#include "interpreter/reference.hpp"
#include "lent/lent_list.hpp"

namespace array_interface {

/// Elements in memory of JavaScript's, or in a bytes object, one after another.
struct LentElements {
  const void* data;
  std::size_t count;
  std::size_t itemsize;
  const char* format;  ///< of `struct`, static
};

/// A memoryview of the elements. `lent` is dropped when Python drops the last view, on any thread.
/// Null, with a Python exception set, if there is no memory. The thread must be attached.
Reference ViewOfMemory(const LentElements& elements, std::shared_ptr<Lent> lent);

/// A read-only memoryview of a copy of the elements. Null as above.
Reference ViewOfCopy(const LentElements& elements);

}  // namespace array_interface
