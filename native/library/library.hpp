#pragma once

#include <memory>
#include <string>
#include <vector>

namespace array_interface {

/// One place where a library was looked for, and the loader's answer.
struct Attempt {
  std::string path;
  std::string error;
};

/// A shared library found at run time. It is never closed, since its threads and atexit handlers
/// may outlive the code that opened it.
class Library {
 public:
  /// Opens the first of `candidates` that loads, and notes every failure in `attempts`; null if
  /// none loads. The loader searches for a name without a slash.
  static std::shared_ptr<const Library> Open(const std::vector<std::string>& candidates,
                                             std::vector<Attempt>& attempts);

  /// Null when the library has no such symbol.
  void* Symbol(const char* name) const;

  /// The file that was loaded, as the loader names it.
  const std::string& path() const { return path_; }

 private:
  Library(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

  void* handle_;
  std::string path_;
};

/// Keeps this addon in memory until the process ends. Node unloads an addon with the last worker
/// that used it, while threads of ours may still run in it.
void StayLoaded();

/// Does the same for the library that a function lies in: another addon's, which is to be called
/// later. Safe from any thread.
void KeepLoaded(const void* function);

}  // namespace array_interface
