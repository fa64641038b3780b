#include "tickets/ticket_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

namespace array_interface {

namespace {

using State = TicketFile::State;

/// A path of this very file, even if the path that it was opened by now leads to another.
std::string PathOf(const FileDescriptor& file) {
  return "/proc/self/fd/" + std::to_string(file.number());
}

/// The name of the file of a descriptor, without the suffix that the kernel appends once it has no
/// path.
std::string NameOfFile(const FileDescriptor& file) {
  std::array<char, 128> target{};
  if (readlink(PathOf(file).c_str(), target.data(), target.size() - 1) < 0) return "";
  std::string name = target.data();
  const auto end = name.rfind(" (deleted)");
  return end == std::string::npos ? name : name.substr(0, end);
}

/// The ID of the mount that a file is in. Asks the kernel, not the file system, which may be
/// another process (FUSE) that does not answer. Returns -1 if the kernel does not report it, and
/// sets `error` if there is one.
long MountOf(int number, int& error) {
  const std::string path = "/proc/self/fdinfo/" + std::to_string(number);
  const FileDescriptor facts(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  error = facts.error();
  std::array<char, 512> text{};
  if (!facts.is_open() || read(facts.number(), text.data(), text.size() - 1) <= 0) return -1;
  constexpr char kMount[] = "mnt_id:";
  const char* const found = std::strstr(text.data(), kMount);
  return found == nullptr ? -1 : std::strtol(found + sizeof kMount - 1, nullptr, 10);
}

/// The mount and device of all files that memfd_create makes. Other files may have the same name as
/// one.
struct Location {
  long mount = -1;
  dev_t device = 0;
  int error = 0;  ///< why no such file could be made
};

Location LookForMemory() {
  const int file = memfd_create("array-interface device", MFD_CLOEXEC);
  Location location;
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) {
    location.error = errno;
  } else {
    location.device = status.st_dev;
    location.mount = MountOf(file, location.error);
  }
  if (file >= 0) close(file);
  return location;
}

/// Returns the result of LookForMemory, which is cached unless it failed.
Location LocationOfMemory() {
  static auto& mutex = *new std::mutex;
  static Location known;
  const std::lock_guard lock(mutex);
  if (known.device == 0 || known.error != 0) known = LookForMemory();
  return known;
}

/// Whether a path in /proc is that of a process. The kernel also resolves the number of every
/// thread there, with the files of its process. Through such a path, this process's file would look
/// like another's.
bool NamesProcess(const std::string& path) {
  constexpr char kProc[] = "/proc/";
  if (path.compare(0, sizeof kProc - 1, kProc) != 0) return false;
  const long number = std::strtol(path.c_str() + sizeof kProc - 1, nullptr, 10);
  // Sends nothing. It fails if the thread of this number is not in a process of this number.
  return syscall(SYS_tgkill, number, number, 0) == 0 || errno == EPERM;
}

}  // namespace

TicketFile::TicketFile(const std::string& path, const char* name, uid_t user)
    : state_(Open(path, name, user)) {}

State TicketFile::Open(const std::string& path, const char* name, uid_t user) {
  const FileDescriptor found(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!found.is_open()) return Refused(found.error());
  // Every check uses the descriptor, since the path may lead elsewhere by now.
  if (NameOfFile(found) != std::string("/memfd:") + name) return State::kForeign;
  const Location memory = LocationOfMemory();
  if (memory.error != 0) return Refused(memory.error);
  int error = 0;
  const long mount = MountOf(found.number(), error);
  if (error != 0) return Refused(error);
  if (mount != memory.mount) return State::kForeign;
  if (!NamesProcess(path)) return State::kThread;
  struct stat status {};
  if (fstat(found.number(), &status) != 0) return State::kEnded;
  if (!S_ISREG(status.st_mode) || status.st_dev != memory.device) return State::kForeign;
  owner_ = status.st_uid;
  if (owner_ != user) return State::kAnothers;
  constexpr int kFlags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  FileDescriptor opened(open(PathOf(found).c_str(), kFlags));
  if (!opened.is_open()) return Refused(opened.error());
  identity_ = {status.st_dev, status.st_ino};
  file_ = std::move(opened);
  return State::kOpen;
}

State TicketFile::Refused(int error) {
  if (error == EMFILE || error == ENFILE) error_ = error;
  return State::kEnded;
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
