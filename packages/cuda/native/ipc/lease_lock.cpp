#include "lease_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "ipc_lease.hpp"

namespace array_interface::cuda {

namespace {

/// The byte of the file that importers lock one at a time. It lies beyond all text.
constexpr off_t kExclusiveByte = off_t{1} << 30;

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

/// How long one attempt waits. Other processes hold the lock for microseconds, but a busy system
/// may preempt one meanwhile.
constexpr std::chrono::milliseconds kTimeout{20};
constexpr std::chrono::microseconds kPause{100};

/// Returns 0, or the error: EAGAIN if another process holds the lock.
int SetLock(int file, short type) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = kExclusiveByte;
  range.l_len = 1;
  while (fcntl(file, F_OFD_SETLK, &range) != 0) {
    if (errno == EACCES) return EAGAIN;  // POSIX allows both for it
    if (errno != EINTR) return errno;
  }
  return 0;
}

int SetLock(int file, short type, std::chrono::milliseconds timeout) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const int error = SetLock(file, type);
    if (error != EAGAIN || std::chrono::steady_clock::now() >= until) return error;
    std::this_thread::sleep_for(kPause);
  }
}

std::string WhyNot(int error) {
  if (error == EAGAIN) return "one that another process holds";
  return std::generic_category().message(error);
}

}  // namespace

LockError::LockError(int error) : std::runtime_error(WhyNot(error)), error_(error) {}

LeaseLock::LeaseLock(const std::string& path, uid_t user) {
  TicketFile file(path, kLeaseName, user);
  state_ = file.state();
  owner_ = file.owner();
  lease_ = file.identity();
  error_ = file.error();
  file_ = file.Take();
  if (state_ != State::kOpen) return;
  state_ = State::kEnded;
  if (flock(file_.number(), LOCK_SH | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) error_ = errno;
    return;
  }
  text_ = ReadText(file_.number());
  if (!text_.empty()) state_ = State::kOpen;
}

LeaseLock::Exclusive::Exclusive(LeaseLock& lease_lock) : lease_lock_(lease_lock) {
  using std::chrono::milliseconds;
  const milliseconds timeout = lease_lock.is_held_by_another_ ? milliseconds{0} : kTimeout;
  const int error = SetLock(lease_lock.file_.number(), F_WRLCK, timeout);
  lease_lock.is_held_by_another_ = error == EAGAIN;
  if (error != 0) throw LockError(error);
}

LeaseLock::Exclusive::~Exclusive() { SetLock(lease_lock_.file_.number(), F_UNLCK); }

}  // namespace array_interface::cuda
