#pragma once

#include <cstddef>
#include <string>

#include "files/file_descriptor.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// The name of a lease's file, by which an importer recognises it. The system puts `/memfd:` before
/// it.
inline constexpr char kLeaseName[] = "array-interface lease";

/// Most bytes that importers read: room for the tickets of a million views.
inline constexpr std::size_t kLongestLease = std::size_t{1} << 26;

/// The exporter's side of tickets: a file in memory, named only by this process's table of files,
/// with the text that its tickets must match. A process that opened a ticket holds a shared lock on
/// it. The lease can end only when nobody holds a lock, and then nobody can open it any more. Linux
/// only.
class IpcLease {
 public:
  static constexpr napi_type_tag kTag{0x2b7c90ae4f61d385, 0x8d13f6a25be07c49};

  /// Throws std::system_error.
  IpcLease();
  IpcLease(const IpcLease&) = delete;
  IpcLease& operator=(const IpcLease&) = delete;

  /// The path by which other processes of this user open it.
  std::string Path() const;
  /// Adds to the text that importers find, at most 64 MiB in all. Throws std::system_error.
  void Write(const std::string& text);

  /// Ends the lease. False: somebody holds it. Does not wait.
  bool TryEnd();

 private:
  FileDescriptor file_;
  std::size_t written_ = 0;
};

}  // namespace array_interface::cuda
