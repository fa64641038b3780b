#pragma once

#include <cstddef>
#include <string>

#include "files/file_descriptor.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// The name of a lease's file, by which an importer recognises it. The system prepends `/memfd:`.
inline constexpr char kLeaseName[] = "array-interface lease";

/// Maximum bytes that importers read: room for the tickets of a million views.
inline constexpr std::size_t kLongestLease = std::size_t{1} << 26;

/// The exporter's side of tickets: an in-memory file, named only in this process's file table, with
/// the text that its tickets must match. A process that opened a ticket holds a shared lock on the
/// file. The lease can end only when no process holds a lock; after that, no process can open it.
/// Linux only.
class IpcLease {
 public:
  static constexpr napi_type_tag kTag{0x2b7c90ae4f61d385, 0x8d13f6a25be07c49};

  /// Throws std::system_error.
  IpcLease();
  IpcLease(const IpcLease&) = delete;
  IpcLease& operator=(const IpcLease&) = delete;

  /// Returns the path by which other processes of this user open it.
  std::string Path() const;
  /// Appends to the text that importers read, at most 64 MiB in total. Throws std::system_error.
  void Write(const std::string& text);

  /// Ends the lease. Returns false if a process holds the lock. Does not block.
  bool TryEnd();

 private:
  FileDescriptor file_;
  std::size_t written_ = 0;
};

}  // namespace array_interface::cuda
