#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "allocation.hpp"
#include "tickets/ticket_file.hpp"

namespace array_interface {

/// Memory that processes of one user share: a file without a name in any folder, which lives while
/// somebody maps it. Its first page says whose it is; the memory is behind that, and its size never
/// changes. Linux only.
class SharedFile {
 public:
  /// Bytes before the memory: the smallest page.
  static constexpr std::size_t kHeader = 4096;

  /// New memory of this process, whose file begins with `header`. Its path holds as long as the
  /// allocation. Throws std::invalid_argument.
  struct Made {
    std::shared_ptr<Allocation> allocation;
    std::string path;
    int error = 0;  ///< where the allocation is null: why there is no memory, as errno says it
  };
  static Made Make(std::uint64_t size, const std::string& header);

  /// What became of a file that another process named. `kForeign` is also one that may still
  /// shrink under us, or may not be written.
  using State = TicketFile::State;
  struct Opened {
    State state = State::kEnded;
    std::shared_ptr<Allocation> allocation;
    std::string header;  ///< the first `header_size` bytes
    uid_t owner = 0;     ///< whose file it is, if it is kOpen or kAnothers
    int error = 0;       ///< EMFILE, ENFILE: this process can open no more files
  };
  /// `path` is /proc/PID/fd/N of the process that made it, as `user`. A file that is open already
  /// is given once more, at the same address. Does not wait. Throws std::bad_alloc where there is
  /// no room to map it.
  static Opened Open(const std::string& path, std::size_t header_size, uid_t user);
};

}  // namespace array_interface
