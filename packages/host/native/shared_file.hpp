#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "allocation.hpp"
#include "tickets/ticket_file.hpp"

namespace array_interface {

/// Memory that processes of one user share: a file that has no name in any folder, and lives as
/// long as a process maps it. Its first page identifies it. The memory follows, and its size never
/// changes. Linux only.
class SharedFile {
 public:
  /// Bytes before the memory: the smallest page.
  static constexpr std::size_t kHeader = 4096;

  /// Allocates memory of this process, whose file begins with `header`. The path is valid as long
  /// as the allocation. Throws std::invalid_argument.
  struct Made {
    std::shared_ptr<Allocation> allocation;
    std::string path;
    int error = 0;  ///< errno, if the allocation is null
  };
  static Made Make(std::uint64_t size, const std::string& header);

  /// The result of opening a file that another process named. `kForeign` also means a file that may
  /// still shrink while it is mapped, or that is not writable.
  using State = TicketFile::State;
  struct Opened {
    State state = State::kEnded;
    std::shared_ptr<Allocation> allocation;
    std::string header;  ///< the first `header_size` bytes
    uid_t owner = 0;     ///< the file's owner, if it is kOpen or kAnothers
    int error = 0;       ///< EMFILE, ENFILE: this process can open no more files
  };
  /// `path` is /proc/PID/fd/N of the process that made it, as `user`. If the file is open already,
  /// returns the same allocation, at the same address. Does not block. Throws std::bad_alloc if
  /// there is no room to map it.
  static Opened Open(const std::string& path, std::size_t header_size, uid_t user);
};

}  // namespace array_interface
