#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

namespace array_interface {

/// A file descriptor that closes itself, or none. It opens no file: each call of open() stands
/// where its path comes from (docs/internals/what-is-opened.md).
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Takes what a call that opens a file returned. For a negative number, keeps the call's error.
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
  /// Negative if it is not open.
  int number() const { return number_; }
  /// The errno of the call that opened nothing, or 0.
  int error() const { return error_; }

  void Close() {
    if (is_open()) close(Release());
  }
  /// The caller closes it from now on.
  int Release() { return std::exchange(number_, -1); }

  /// Reads so many bytes. False if the file ends before, or an error occurs.
  bool Read(char* bytes, std::size_t size) const {
    for (ssize_t got = 0; size > 0; bytes += got, size -= static_cast<std::size_t>(got)) {
      got = read(number_, bytes, size);
      if (got <= 0) return false;
    }
    return true;
  }
  /// Writes so many bytes. False if an error occurs.
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
