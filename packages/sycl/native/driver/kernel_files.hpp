#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace array_interface::sycl {

/// Compiled kernels in files of one folder, which only this user may read and write, since what is
/// in them is run. Many processes may use it at a time. What cannot be read or written is as if it
/// were not there. Safe from any thread; no function throws but for want of memory.
class KernelFiles {
 public:
  /// Follows no link at the end of the path, and takes the folder of this user alone (0700). Its
  /// caller has looked at what leads there. The files take `most` bytes together at most.
  static std::optional<KernelFiles> Open(const std::string& folder, std::uint64_t most);

  /// What was kept under this very key, whole and by nobody else. It counts as used just now.
  std::optional<std::string> Find(const std::string& key) const;
  /// Keeps it in place of what the key's file held. The files that were not used for longest go.
  void Keep(const std::string& key, const std::string& binary) const;

 private:
  KernelFiles(int folder, std::uint64_t most) : folder_(folder), most_(most) {}

  /// Removes files until all take no more than they may, and what writers left that have ended.
  void Trim() const;

  int folder_;  // as long as the process
  std::uint64_t most_;
};

}  // namespace array_interface::sycl
