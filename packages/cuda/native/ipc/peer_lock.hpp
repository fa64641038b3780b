#pragma once

#include <stdexcept>
#include <string>

#include "napi/setup.hpp"
#include "tickets/ticket_file.hpp"

namespace array_interface::cuda {

/// The system gives no lock of a ticket's file, for the reason in what(): ERR_TICKET.
class LockTimeout : public std::runtime_error {
 public:
  /// `error` as errno has it. EAGAIN: another process has the lock.
  explicit LockTimeout(int error);
  int error() const { return error_; }

 private:
  int error_;
};

/// An importer's hold on memory that another process shares: a shared lock on the file of its
/// lease. The system drops the lock when this process ends, however it ends.
class PeerLock {
 public:
  static constexpr napi_type_tag kTag{0xe8124d6c93b7a05f, 0xa6f09b3d7c1e8254};

  /// What became of a ticket's lease. Open: the lock is ours, and the exporter keeps the memory
  /// until it is given up.
  using State = TicketFile::State;

  /// `path` is /proc/PID/fd/N of the exporter, who must be `user`. Does not wait.
  PeerLock(const std::string& path, uid_t user);
  PeerLock(const PeerLock&) = delete;
  PeerLock& operator=(const PeerLock&) = delete;

  /// Gives up the lock, once.
  void Leave() noexcept { file_.Close(); }

  State state() const { return state_; }
  /// Whose file it is, where that was seen.
  uid_t owner() const { return owner_; }
  /// The lease, while the state is kOpen and the lock is not given up.
  TicketFile::Identity lease() const { return lease_; }
  /// Why the system refused: EMFILE, ENFILE: this process can open no more files; ENOLCK: it gives
  /// no lock. 0: it has opened it, or there is none.
  int error() const { return error_; }
  /// What the exporter wrote about its tickets. Empty unless the state is kOpen.
  const std::string& text() const { return text_; }

  /// Lets one process at a time move the event that importers share. Others hold it for two calls
  /// of the driver, so it waits some milliseconds; not at all once that was in vain. Call with the
  /// tracker's mutex held.
  class Turn {
   public:
    /// Throws LockTimeout.
    explicit Turn(PeerLock& peer_lock);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    PeerLock& peer_lock_;
  };

 private:
  FileDescriptor file_;
  State state_;
  uid_t owner_ = 0;
  TicketFile::Identity lease_;
  int error_ = 0;
  std::string text_;
  bool is_held_by_another_ = false;  ///< as the last attempt found
};

}  // namespace array_interface::cuda
