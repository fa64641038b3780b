#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace array_interface::sycl::interposer {

/// One thing that happened. Queues and commands are numbered from 1; 0 means none.
struct Entry {
  const char* what;
  std::uint64_t queue = 0;
  std::uint64_t command = 0;
  std::vector<const void*> pointers = {};
  std::size_t bytes = 0;
  std::uint64_t number = 0;  ///< set by the journal
};

/// What happened in which order, and which of it was a fault. Not thread-safe; World has the mutex.
class Journal {
 public:
  void Note(Entry entry);
  /// Records something that real hardware or the runtime need not tolerate. Also prints it to
  /// stderr, for processes whose faults no test reads.
  void Fault(std::string text);

  /// As JSON: the entries after a number, and the faults.
  std::string EntriesAfter(std::uint64_t number) const;
  std::string Faults() const;
  void Forget();

 private:
  std::deque<Entry> entries_;
  std::vector<std::string> faults_;
  std::uint64_t last_ = 0;
};

/// Formats an address: 0x7f00.
std::string Text(const void* pointer);

}  // namespace array_interface::sycl::interposer
