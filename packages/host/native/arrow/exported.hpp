#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/c_data.h"

namespace array_interface {

/// A column, or that of its lists' elements.
struct ColumnLevel {
  std::string format;
  std::int64_t length;
  const void* validity;  ///< its bits; null if all elements are valid
  const void* values;    ///< its elements; null for lists
};

/// Writes the structs of a column whose lists, if it has any, are the levels after the first. The
/// consumer releases each of them once, on any thread. `memory` stays until the last array struct
/// is released. Writes nothing if memory runs out.
void WriteColumn(const std::vector<ColumnLevel>& levels, const std::shared_ptr<void>& memory,
                 ArrowSchema* schema, ArrowArray* array);

}  // namespace array_interface
