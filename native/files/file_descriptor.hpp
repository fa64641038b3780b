#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

namespace array_interface {

/// Owns a file descriptor, or none, and closes it. It opens no file: each call of open() is written
/// next to where its path comes from (docs/internals/what-is-opened.md).
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Takes the result of a call that opens a file. If it is negative, stores that call's errno.
  explicit FileDescriptor(int number) : number_(number), error_(number < 0 ? errno : 0) {}
  FileDescriptor(FileDescriptor&& other) noexcept { *this = std::move(other); }
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    std::swap(error_, other.error_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { Close(); }

  bool is_open() const { return number_ >= 0; }
  /// Negative if no file is open.
  int number() const { return number_; }
  /// The errno of the call that failed to open a file, or 0.
  int error() const { return error_; }

  void Close() {
    if (is_open()) close(Release());
  }
  /// Returns the descriptor, which the caller has to close.
  int Release() { return std::exchange(number_, -1); }

  /// Reads `size` bytes. Returns false if the file ends earlier, or an error occurs.
  bool Read(char* bytes, std::size_t size) const {
    for (ssize_t got = 0; size > 0; bytes += got, size -= static_cast<std::size_t>(got)) {
      got = read(number_, bytes, size);
      if (got <= 0) return false;
    }
    return true;
  }
  /// Writes `size` bytes. Returns false if an error occurs.
  bool Write(const char* bytes, std::size_t size) const {
    for (ssize_t put = 0; size > 0; bytes += put, size -= static_cast<std::size_t>(put)) {
      put = write(number_, bytes, size);
      if (put <= 0) return false;
    }
    return true;
  }

 private:
  int number_ = -1;
  int error_ = 0;
};

}  // namespace array_interface
