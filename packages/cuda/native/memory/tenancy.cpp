#include "memory/tenancy.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "memory/lease_name.hpp"

namespace array_interface::cuda {

namespace {

/// The byte of the file that openers lock in turn. It lies beyond all text.
constexpr off_t kTurnByte = off_t{1} << 30;

bool IsLease(const std::string& path) {
  std::array<char, 128> target{};
  const ssize_t length = readlink(path.c_str(), target.data(), target.size() - 1);
  const std::string name = std::string("/memfd:") + kLeaseName;
  return length > 0 && std::string(target.data()).compare(0, name.size(), name) == 0;
}

std::string ReadText(int file) {
  std::string text;
  std::array<char, 4096> part{};
  while (text.size() < kLongestLease) {
    const ssize_t length = pread(file, part.data(), part.size(), static_cast<off_t>(text.size()));
    if (length <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(length));
  }
  return text;
}

/// 0, or why the system refused.
int SetLock(int file, short type) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = kTurnByte;
  range.l_len = 1;
  while (fcntl(file, F_OFD_SETLKW, &range) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace

// Opens nothing else that the path may name: a pipe or a device could block or have effects.
Tenancy::Tenancy(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0) return;
  if (!IsLease(path)) {
    state_ = State::kForeign;
    return;
  }
  file_ = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file_ < 0 && (errno == EMFILE || errno == ENFILE)) error_ = errno;
  if (file_ < 0) return;
  if (flock(file_, LOCK_SH | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) error_ = errno;
    return;
  }
  text_ = ReadText(file_);
  if (!text_.empty()) state_ = State::kHeld;
}

void Tenancy::Leave() noexcept {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

Tenancy::Turn::Turn(const Tenancy& tenancy) : tenancy_(tenancy) {
  const int error = SetLock(tenancy_.file_, F_WRLCK);
  if (error != 0) throw NoTurn(std::generic_category().message(error));
}

Tenancy::Turn::~Turn() { SetLock(tenancy_.file_, F_UNLCK); }

}  // namespace array_interface::cuda
