#include "ipc_lease.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace array_interface::cuda {

namespace {

[[noreturn]] void Fail(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

}  // namespace

IpcLease::IpcLease() : file_(memfd_create(kLeaseName, MFD_CLOEXEC)) {
  if (!file_.is_open()) Fail("memfd_create");
}

std::string IpcLease::Path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_.number());
}

void IpcLease::Write(const std::string& text) {
  if (text.size() > kLongestLease - written_) {
    throw std::system_error(EFBIG, std::generic_category(), "lease");
  }
  const auto location = static_cast<off_t>(written_);
  const ssize_t length = pwrite(file_.number(), text.data(), text.size(), location);
  if (length < 0) Fail("pwrite");
  if (length != static_cast<ssize_t>(text.size())) {  // there was room for only part of it
    throw std::system_error(ENOSPC, std::generic_category(), "pwrite");
  }
  written_ += text.size();
}

bool IpcLease::TryEnd() {
  if (!file_.is_open()) return true;
  if (flock(file_.number(), LOCK_EX | LOCK_NB) != 0) return false;
  // A process that has the file open but has not locked it yet finds it empty.
  if (ftruncate(file_.number(), 0) != 0) {
    flock(file_.number(), LOCK_UN);
    return false;
  }
  file_.Close();
  return true;
}

}  // namespace array_interface::cuda
