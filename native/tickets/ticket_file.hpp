#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "files/file_descriptor.hpp"

namespace array_interface {

/// A memfd that another process made for its tickets, opened by its path `/proc/PID/fd/N`. Linux
/// only.
class TicketFile {
 public:
  /// What the path leads to.
  enum class State {
    kOpen,
    kEnded,     ///< there is no such file, or it may not be opened
    kForeign,   ///< a file that is not a ticket's
    kThread,    ///< the path has the number of a thread, not of a process
    kAnothers,  ///< a file of a user whom the importer does not trust
  };

  /// Opens a file of this name that `user` made, and nothing else that the path may lead to, even
  /// if that changes meanwhile: a pipe or a device could block or have side effects. Reads nothing.
  /// Does not block.
  TicketFile(const std::string& path, const char* name, uid_t user);
  TicketFile(const TicketFile&) = delete;
  TicketFile& operator=(const TicketFile&) = delete;

  State state() const { return state_; }
  /// The user whom the file belongs to. 0 unless it was opened.
  uid_t owner() const { return owner_; }
  /// Device and inode number of the file. No other file has them while this one is open or mapped.
  using Identity = std::pair<dev_t, ino_t>;
  Identity identity() const { return identity_; }
  /// EMFILE or ENFILE if no more files can be opened; otherwise 0.
  int error() const { return error_; }
  /// The descriptor; negative unless the state is kOpen.
  int number() const { return file_.number(); }
  /// Returns the descriptor, which the caller owns from now on.
  FileDescriptor Take() { return std::move(file_); }

 private:
  State Open(const std::string& path, const char* name, uid_t user);
  /// Returns kEnded, and stores the error if it is EMFILE or ENFILE.
  State Refused(int error);

  uid_t owner_ = 0;
  Identity identity_;
  int error_ = 0;
  FileDescriptor file_;
  State state_;  // initialized last: Open sets the others
};

/// The state's name in JavaScript.
const char* NameOf(TicketFile::State state);

}  // namespace array_interface
