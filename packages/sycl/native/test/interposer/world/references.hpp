#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace array_interface::sycl::interposer {

class Journal;

/// The kinds of objects that the C library returns references to, each with its own delete
/// function.
enum class Kind {
  kDevice,
  kVector,
  kSelector,
  kContext,
  kQueue,
  kEvent,
  kBundle,
  kKernel,
  kText,
  kStruct
};
constexpr std::size_t kKinds = 10;
constexpr std::array<const char*, kKinds> kKindNames = {
    "devices", "vectors", "selectors", "contexts", "queues",
    "events",  "bundles", "kernels",   "texts",    "structs"};

/// The number under which the one real device is listed. A list or a context may have both.
enum Mark : int { kFirst = 0, kSecond = 1, kBoth = 2 };

/// The references that are live: returned and not yet deleted. Not thread-safe; World has the
/// mutex.
class References {
 public:
  explicit References(Journal& journal) : journal_(journal) {}

  void Add(Kind kind, const void* reference, Mark mark);
  /// Whether the real library must delete it; false if it was deleted before.
  bool Remove(Kind kind, const void* reference);
  /// kFirst for references of other libraries.
  Mark MarkOf(Kind kind, const void* reference) const;
  /// Whether it was returned and is deleted.
  bool IsGone(Kind kind, const void* reference) const;
  /// As members of a JSON object: how many of each kind are live.
  std::string Counts() const;

 private:
  struct Table {
    std::unordered_map<const void*, Mark> live;
    std::unordered_set<const void*> gone;
  };
  Table& of(Kind kind) { return tables_[static_cast<std::size_t>(kind)]; }
  const Table& of(Kind kind) const { return tables_[static_cast<std::size_t>(kind)]; }

  Journal& journal_;
  std::array<Table, kKinds> tables_;
};

}  // namespace array_interface::sycl::interposer
