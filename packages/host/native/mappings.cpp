#include "mappings.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <limits>
#include <memory>

namespace array_interface {

namespace {

struct Mapping {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool readable = false;
  bool writable = false;
  bool of_file = false;
};

/// Parses one line of /proc/self/maps, `55d0-55e0 r--p 00000000 fe:01 1234  /bin/cat`.
bool Parse(const char* line, Mapping& mapping) {
  char flags[5] = {};
  std::uint64_t inode = 0;
  const int fields = std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*x:%*x %" SCNu64,
                                 &mapping.low, &mapping.high, flags, &inode);
  if (fields != 4) return false;
  mapping.readable = flags[0] == 'r';
  mapping.writable = flags[1] == 'w';
  mapping.of_file = inode != 0;
  return true;
}

/// A query of one mapping, and the kernel's answer (`linux/fs.h`, Linux 6.11 and later). Older
/// headers lack it.
struct MappingQuery {
  std::uint64_t size = sizeof(MappingQuery);
  std::uint64_t query_flags = 0x10;  // the mapping at the address, or the next one
  std::uint64_t query_address = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t flags = 0;  // 1: readable; 2: writable
  std::uint64_t page_size = 0;
  std::uint64_t offset = 0;
  std::uint64_t inode = 0;
  std::uint32_t device[2] = {};
  std::uint32_t name_size = 0;
  std::uint32_t build_id_size = 0;
  std::uint64_t name_address = 0;
  std::uint64_t build_id_address = 0;
};

constexpr int kNotOpened = -2;
std::atomic<int> questions{kNotOpened};

/// After a fork, the child queries its own mappings, not its parent's. A child of a bare clone(),
/// which skips the fork handlers, may only start another program.
void ForgetQuestions() {
  const int file = questions.exchange(kNotOpened);
  if (file >= 0) close(file);
}

int OpenQuestions() {
  static const bool is_notified = pthread_atfork(nullptr, nullptr, ForgetQuestions) == 0;
  int known = kNotOpened;
  const int file = is_notified ? open("/proc/self/maps", O_RDONLY | O_CLOEXEC) : -1;
  if (questions.compare_exchange_strong(known, file)) return file;
  if (file >= 0) close(file);
  return known;
}

/// The file descriptor for queries. It stays open, since opening it takes ten times as long as a
/// query. -1 if it cannot be opened.
int Questions() {
  const int file = questions;
  return file == kNotOpened ? OpenQuestions() : file;
}

/// This process's table of mappings. A query takes 0.5 us. Reading the whole text takes 0.3 ms in a
/// process with many libraries.
class Table {
 public:
  explicit Table(bool asks) : asks_(asks) {
    if (!asks_) Open();
  }

  bool is_open() const { return asks_ || text_ != nullptr; }

  /// Finds the first mapping that ends above an address. Addresses must rise from call to call.
  /// False if there is none.
  bool Next(std::uint64_t at, Mapping& mapping) {
    if (asks_) {
      MappingQuery query;
      query.query_address = at;
      if (ioctl(Questions(), _IOWR('f', 17, MappingQuery), &query) == 0) {
        mapping = {query.start, query.end, (query.flags & 1) != 0, (query.flags & 2) != 0,
                   query.inode != 0};
        return true;
      }
      if (errno == ENOENT) return false;
      asks_ = false;
      Open();
    }
    if (text_ == nullptr) return false;
    char line[4096 + 128];  // the path of a file may be 4096 bytes long
    while (std::fgets(line, sizeof line, text_.get()) != nullptr) {
      if (Parse(line, mapping) && mapping.high > at) return true;
    }
    return false;
  }

 private:
  void Open() { text_.reset(std::fopen("/proc/self/maps", "re")); }

  bool asks_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> text_{nullptr, std::fclose};
};

/// True if the kernel can read a byte for this process. For a page beyond the end of its file, no
/// other check avoids a signal.
bool KernelReads(std::uint64_t address) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  const bool done = write(ends[1], reinterpret_cast<const void*>(address), 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return done;
}

/// Number of readable bytes of a file's mapping in [from, to). Pages can be missing only at its
/// end.
std::uint64_t ReadableOfFile(std::uint64_t from, std::uint64_t to) {
  if (KernelReads(to - 1)) return to - from;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::uint64_t good = from / page;  // in pages; the first one that may be missing lies above
  std::uint64_t bad = (to - 1) / page;
  if (!KernelReads(from)) return 0;
  while (bad - good > 1) {
    const std::uint64_t middle = good + (bad - good) / 2;
    (KernelReads(middle * page) ? good : bad) = middle;
  }
  return bad * page - from;
}

}  // namespace

std::optional<PageAccess> QueryAccess(std::uint64_t address, std::uint64_t length, bool asks) {
  Table table(asks);
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - address;
  const std::uint64_t end = address + std::min(std::max<std::uint64_t>(length, 1), room);
  PageAccess access;
  std::uint64_t at = address;
  Mapping mapping;
  while (at < end && table.Next(at, mapping)) {
    if (mapping.low > at) break;
    access.mapped = true;
    if (!mapping.readable) break;
    const std::uint64_t to = std::min(end, mapping.high);
    const std::uint64_t good = mapping.of_file ? ReadableOfFile(at, to) : to - at;
    if (good > 0 && !mapping.writable) access.writable = false;
    at += good;
    if (at < to) break;
  }
  if (!table.is_open()) return std::nullopt;
  access.readable = std::min(at - address, length);
  return access;
}

}  // namespace array_interface
