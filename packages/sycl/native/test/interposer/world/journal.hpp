#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace array_interface::sycl::interposer {

/// One thing that happened. Numbers of queues and commands count from 1; 0: none.
struct Entry {
  const char* what;
  std::uint64_t queue = 0;
  std::uint64_t command = 0;
  std::vector<const void*> pointers = {};
  std::size_t bytes = 0;
  std::uint64_t number = 0;  ///< given by the journal
};

/// What happened in which order, and what of it was wrong. Not safe by itself: see World.
class Journal {
 public:
  void Note(Entry entry);
  /// Something that real hardware or the runtime need not forgive. Printed on stderr too, where a
  /// process that nobody asks leaves it.
  void Fault(std::string text);

  /// As JSON: the entries after a number, the faults.
  std::string EntriesAfter(std::uint64_t number) const;
  std::string Faults() const;
  void Forget();

 private:
  std::deque<Entry> entries_;
  std::vector<std::string> faults_;
  std::uint64_t last_ = 0;
};

/// An address as texts have it: 0x7f00.
std::string Text(const void* pointer);

}  // namespace array_interface::sycl::interposer
