#pragma once

#include <memory>

#include "arrow/c_data.h"

namespace array_interface {

/// Moves a column's structs out of their places, which count as released from then on. The result's
/// end releases both, on whichever thread that is. Null, with nothing moved, if one of them was
/// released or moved before.
std::shared_ptr<void> TakeColumn(ArrowSchema* schema, ArrowArray* array);

}  // namespace array_interface
