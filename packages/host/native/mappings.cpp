#include "mappings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
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

/// One line of /proc/self/maps, `55d0-55e0 r--p 00000000 fe:01 1234  /bin/cat`.
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

/// Whether the kernel can read a byte for us. No other answer for a page beyond the end of its file
/// comes without a signal.
bool KernelReads(std::uint64_t address) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  const bool done = write(ends[1], reinterpret_cast<const void*>(address), 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return done;
}

/// How many bytes of a file's mapping in [from, to) can be read. Pages are missing only at its end.
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

std::optional<Access> LookAt(std::uint64_t address, std::uint64_t length) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> table(std::fopen("/proc/self/maps", "re"),
                                                        std::fclose);
  if (table == nullptr) return std::nullopt;
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - address;
  const std::uint64_t end = address + std::min(std::max<std::uint64_t>(length, 1), room);
  Access access;
  std::uint64_t at = address;
  char line[4096 + 128];  // the path of a file may be as long
  Mapping mapping;
  while (at < end && std::fgets(line, sizeof line, table.get()) != nullptr) {
    if (!Parse(line, mapping) || mapping.high <= at) continue;
    if (mapping.low > at) break;
    access.mapped = true;
    if (!mapping.readable) break;
    const std::uint64_t to = std::min(end, mapping.high);
    const std::uint64_t good = mapping.of_file ? ReadableOfFile(at, to) : to - at;
    if (good > 0 && !mapping.writable) access.writable = false;
    at += good;
    if (at < to) break;
  }
  access.readable = std::min(at - address, length);
  return access;
}

}  // namespace array_interface
