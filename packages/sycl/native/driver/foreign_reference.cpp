#include "foreign_reference.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>

#include "sycl_error.hpp"

namespace array_interface::sycl {

namespace {

using Words = std::array<std::uint64_t, 2>;

/// A pipe through which the kernel reads memory: it returns EFAULT for memory that would end the
/// process if it were read directly. Makes the system calls directly, since sanitizers intercept
/// the functions.
class Probe {
 public:
  Probe() {
    if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) == 0) return;
    throw SyclError("ERR_SYCLOBJ", "syclobj",
                    "expected a pipe to check the reference with, got '" +
                        std::generic_category().message(errno) +
                        "'; close files, or raise `ulimit -n`");
  }
  ~Probe() {
    for (const int end : ends_) close(end);
  }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  /// Returns two words at an address. nullopt if the memory cannot be read.
  std::optional<Words> Read(std::uint64_t address) const {
    constexpr long kSize = sizeof(Words);
    if (address == 0 || address % alignof(std::uint64_t) != 0) return std::nullopt;
    if (syscall(SYS_write, ends_[1], address, kSize) != kSize) return std::nullopt;
    Words words{};
    if (syscall(SYS_read, ends_[0], words.data(), kSize) != kSize) return std::nullopt;
    return words;
  }

 private:
  int ends_[2] = {-1, -1};
};

/// The control block of a shared pointer to an object of the runtime.
struct Counter {
  std::uint64_t functions;
  std::uint32_t uses;
};

std::optional<Counter> CounterOf(const Probe& probe, const void* reference) {
  const auto shared = probe.Read(reinterpret_cast<std::uintptr_t>(reference));
  if (!shared) return std::nullopt;
  const auto [object, counter] = *shared;
  // The object lies behind its control block, in one allocation.
  if (object <= counter || object - counter > 64) return std::nullopt;
  const auto counted = probe.Read(counter);
  if (!counted) return std::nullopt;
  return Counter{(*counted)[0], static_cast<std::uint32_t>((*counted)[1])};
}

}  // namespace

bool IsAliveLike(const void* candidate, const void* known) {
  const Probe probe;
  const auto expected = CounterOf(probe, known);
  const auto found = CounterOf(probe, candidate);
  if (!expected || !found) return false;
  return found->functions == expected->functions && static_cast<std::int32_t>(found->uses) > 0;
}

}  // namespace array_interface::sycl
