#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace array_interface::sycl::interposer {

class Journal;

/// What the C library gives references to, each with a delete function of its own.
enum class Kind { kDevice, kVector, kSelector, kContext, kQueue, kEvent, kBundle, kKernel, kText };
constexpr std::size_t kKinds = 9;
constexpr std::array<const char*, kKinds> kKindNames = {"devices",  "vectors", "selectors",
                                                        "contexts", "queues",  "events",
                                                        "bundles",  "kernels", "texts"};

/// Which of the devices that the one real device is listed as; a list or context may have both.
enum Mark : int { kFirst = 0, kSecond = 1, kBoth = 2 };

/// The references that are live: given and not yet deleted. Not safe by itself: see World.
class References {
 public:
  explicit References(Journal& journal) : journal_(journal) {}

  void Add(Kind kind, const void* reference, Mark mark);
  /// Whether the real library is to delete it; it is not when it was deleted before.
  bool Remove(Kind kind, const void* reference);
  /// kFirst for what others made.
  Mark MarkOf(Kind kind, const void* reference) const;
  /// Whether it was given and is deleted.
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
