#include "tickets/ticket_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

namespace array_interface {

namespace {

using State = TicketFile::State;

/// Whether a path in /proc is that of a process. The system also finds every thread there by its
/// number, with the files of its process: ours would then look like another's.
bool NamesProcess(const std::string& path) {
  constexpr char kProc[] = "/proc/";
  if (path.compare(0, sizeof kProc - 1, kProc) != 0) return false;
  const long number = std::strtol(path.c_str() + sizeof kProc - 1, nullptr, 10);
  // Sends nothing. It finds no thread of this number in a process of this number.
  return syscall(SYS_tgkill, number, number, 0) == 0 || errno == EPERM;
}

}  // namespace

TicketFile::TicketFile(const std::string& path, const char* name, uid_t user) {
  std::array<char, 128> target{};
  if (readlink(path.c_str(), target.data(), target.size() - 1) < 0) {
    if (errno == EINVAL) state_ = State::kForeign;  // no link, as all files of processes are
    return;
  }
  // The system puts this before the name that memfd_create was given.
  const std::string expected = std::string("/memfd:") + name;
  if (std::string(target.data()).compare(0, expected.size(), expected) != 0) {
    state_ = State::kForeign;
    return;
  }
  if (!NamesProcess(path)) {
    state_ = State::kThread;
    return;
  }
  number_ = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (number_ < 0) {
    if (errno == EMFILE || errno == ENFILE) error_ = errno;
    return;
  }
  struct stat status {};
  if (fstat(number_, &status) == 0) {
    owner_ = status.st_uid;
    state_ = owner_ == user ? State::kOpen : State::kAnothers;
  }
  if (state_ != State::kOpen) Close();
}

void TicketFile::Close() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

const char* NameOf(TicketFile::State state) {
  switch (state) {
    case State::kOpen:
      return "open";
    case State::kEnded:
      return "ended";
    case State::kThread:
      return "thread";
    case State::kAnothers:
      return "another's";
    case State::kForeign:
      break;
  }
  return "foreign";
}

}  // namespace array_interface
