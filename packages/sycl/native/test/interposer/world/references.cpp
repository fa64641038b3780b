#include "references.hpp"

#include "journal.hpp"

namespace array_interface::sycl::interposer {

void References::Add(Kind kind, const void* reference, Mark mark) {
  if (reference == nullptr) return;
  Table& table = of(kind);
  table.live[reference] = mark;
  table.gone.erase(reference);
}

bool References::Remove(Kind kind, const void* reference) {
  if (reference == nullptr) return false;
  Table& table = of(kind);
  if (table.live.erase(reference) > 0) {
    table.gone.insert(reference);
    return true;
  }
  if (table.gone.count(reference) == 0) return true;  // created by another library
  journal_.Fault(Text(reference) + ", one of the " + kKindNames[static_cast<std::size_t>(kind)] +
                 ", was deleted twice");
  return false;
}

Mark References::MarkOf(Kind kind, const void* reference) const {
  const auto found = of(kind).live.find(reference);
  return found == of(kind).live.end() ? kFirst : found->second;
}

bool References::IsGone(Kind kind, const void* reference) const {
  return of(kind).gone.count(reference) > 0;
}

std::string References::Counts() const {
  std::string text;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    text += std::string(kind == 0 ? "" : ",") + "\"" + kKindNames[kind] +
            "\":" + std::to_string(tables_[kind].live.size());
  }
  return text;
}

}  // namespace array_interface::sycl::interposer
