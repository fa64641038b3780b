#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "files/file_descriptor.hpp"

namespace array_interface {

/// A file in memory that another process made for its tickets, opened by its path
/// `/proc/PID/fd/N`. Linux only.
class TicketFile {
 public:
  /// What the path leads to.
  enum class State {
    kOpen,
    kEnded,     ///< there is no such file, or it may not be opened
    kForeign,   ///< a file that no ticket is made of
    kThread,    ///< the path names a thread by its number, and no process
    kAnothers,  ///< a file of a user whom the importer does not trust
  };

  /// Opens a file of this name which `user` made, and nothing else that the path may name, also
  /// where it leads elsewhere meanwhile: a pipe or a device could block or have effects. Reads
  /// nothing. Does not wait.
  TicketFile(const std::string& path, const char* name, uid_t user);
  TicketFile(const TicketFile&) = delete;
  TicketFile& operator=(const TicketFile&) = delete;

  State state() const { return state_; }
  /// Whose file it is. 0 unless it was opened.
  uid_t owner() const { return owner_; }
  /// Device and number of the file, which no other has as long as somebody has it open or mapped.
  using Identity = std::pair<dev_t, ino_t>;
  Identity identity() const { return identity_; }
  /// EMFILE, ENFILE: this process can open no more files.
  int error() const { return error_; }
  /// The descriptor; negative unless the state is kOpen.
  int number() const { return file_.number(); }
  /// The same, which is the caller's from now on.
  FileDescriptor Take() { return std::move(file_); }

 private:
  State Open(const std::string& path, const char* name, uid_t user);
  /// Keeps the error where it says that no more files may be open.
  State Refused(int error);

  uid_t owner_ = 0;
  Identity identity_;
  int error_ = 0;
  FileDescriptor file_;
  State state_;  // the last: opening sets the others
};

/// The state as JavaScript is told of it.
const char* NameOf(TicketFile::State state);

}  // namespace array_interface
