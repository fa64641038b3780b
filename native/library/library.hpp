#pragma once

#include <memory>
#include <string>
#include <vector>

namespace array_interface {

/// A path at which a library was searched for, and the loader's error.
struct Attempt {
  std::string path;
  std::string error;
};

/// A shared library found at run time. It is never closed, since its threads and atexit handlers
/// may outlive the code that opened it.
class Library {
 public:
  /// Opens the first of `candidates` that loads, and appends every failure to `attempts`. Null if
  /// none loads. The loader searches its own paths for a name without a slash.
  static std::shared_ptr<const Library> Open(const std::vector<std::string>& candidates,
                                             std::vector<Attempt>& attempts);

  /// Null if the library has no such symbol.
  void* Symbol(const char* name) const;

  /// The path of the loaded file, as the loader reports it.
  const std::string& path() const { return path_; }

 private:
  Library(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

  void* handle_;
  std::string path_;
};

/// Keeps this addon loaded until the process ends. Node unloads an addon with the last worker that
/// used it, while threads of this library may still run in it.
void StayLoaded();

/// Does the same for the library that contains a function, such as another addon's that is called
/// later. Safe to call from any thread.
void KeepLoaded(const void* function);

}  // namespace array_interface
