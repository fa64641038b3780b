#include "values/name_cache.hpp"

#include <algorithm>
#include <cstdint>

#include "interpreter/releases.hpp"
#include "values/text.hpp"

namespace array_interface {

NameCache::~NameCache() {
  for (Slot& slot : slots_) {
    if (slot.name != nullptr) ReleaseLater(slot.name);
  }
}

Reference NameCache::Find(const char16_t* units, std::size_t length) {
  std::uint32_t hash = 2166136261;
  for (std::size_t i = 0; i < length; i++) hash = (hash ^ units[i]) * 16777619;
  Slot& slot = slots_[(hash ^ hash >> 16) % slots_.size()];
  if (slot.name != nullptr && slot.length == length &&
      std::equal(units, units + length, slot.units.begin())) {
    return Reference::Share(slot.name);
  }
  PyObject* name = DecodeText(units, length).Give();
  if (name == nullptr) return {};
  Py().PyUnicode_InternInPlace(&name);
  // Dropping the previous name may free it. It is a str, so this runs no Python code.
  const auto before = Reference::Take(slot.name);
  slot.name = name;
  slot.length = length;
  std::copy(units, units + length, slot.units.begin());
  return Reference::Share(name);
}

}  // namespace array_interface
