#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace array_interface::sycl {

/// A cache of compiled kernels in files of one folder. Only this user may read and write the
/// folder, since the kernels are executed. Several processes may use it at the same time. A file
/// that cannot be read or written counts as missing. Safe to use from any thread. Throws only for
/// lack of memory.
class KernelFiles {
 public:
  /// Opens the folder, which must belong to this user alone (0700). Does not follow a link at the
  /// end of the path. The caller has checked the path to it. The files take at most `most` bytes
  /// together.
  static std::optional<KernelFiles> Open(const std::string& folder, std::uint64_t most);

  /// Returns the binary that was stored under exactly this key, if it is complete and no other user
  /// can write it. Marks it as just used.
  std::optional<std::string> Find(const std::string& key) const;
  /// Stores a binary in place of what the key's file held. Removes the least recently used files if
  /// there is too much.
  void Keep(const std::string& key, const std::string& binary) const;

 private:
  KernelFiles(int folder, std::uint64_t most) : folder_(folder), most_(most) {}

  /// Removes files until the rest fits, and the partial files of writers that have ended.
  void Trim() const;

  int folder_;  // open as long as the process runs
  std::uint64_t most_;
};

}  // namespace array_interface::sycl
