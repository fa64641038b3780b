#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds getItem, setItem, deleteItem and contains to the exports.
void ExportItems(Napi::Object exports);

}  // namespace array_interface
