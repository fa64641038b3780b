#pragma once

#include <stdexcept>
#include <string>

#include "napi/setup.hpp"
#include "tickets/ticket_file.hpp"

namespace array_interface::cuda {

/// The system refused a lock of a ticket's file, for the reason in what(): ERR_TICKET.
class LockError : public std::runtime_error {
 public:
  /// `error` is an errno value. EAGAIN: another process holds the lock.
  explicit LockError(int error);
  int error() const { return error_; }

 private:
  int error_;
};

/// An importer's reference to memory that another process shares: a shared lock on the lease's
/// file. The system drops the lock when this process ends, however it ends.
class LeaseLock {
 public:
  static constexpr napi_type_tag kTag{0xe8124d6c93b7a05f, 0xa6f09b3d7c1e8254};

  /// State of a ticket's lease. Open: this process holds the lock, and the exporter keeps the
  /// memory alive until the lock is released.
  using State = TicketFile::State;

  /// `path` is /proc/PID/fd/N of the exporter, which must run as `user`. Does not block.
  LeaseLock(const std::string& path, uid_t user);
  LeaseLock(const LeaseLock&) = delete;
  LeaseLock& operator=(const LeaseLock&) = delete;

  /// Releases the lock, once.
  void Leave() noexcept { file_.Close(); }

  State state() const { return state_; }
  /// Owner of the file, if it could be read.
  uid_t owner() const { return owner_; }
  /// The lease, while the state is kOpen and the lock is held.
  TicketFile::Identity lease() const { return lease_; }
  /// The system's error. EMFILE, ENFILE: this process can open no more files. ENOLCK: no lock is
  /// available. 0 if the file was opened, or if there is none.
  int error() const { return error_; }
  /// What the exporter wrote about its tickets. Empty unless the state is kOpen.
  const std::string& text() const { return text_; }

  /// A lock under which one process at a time moves the event that importers share. Other processes
  /// hold it for two driver calls, so an attempt waits for some milliseconds; if the last attempt
  /// failed, it does not wait. Must be taken with the tracker's mutex held.
  class Exclusive {
   public:
    /// Throws LockError.
    explicit Exclusive(LeaseLock& lease_lock);
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;
    ~Exclusive();

   private:
    LeaseLock& lease_lock_;
  };

 private:
  FileDescriptor file_;
  State state_;
  uid_t owner_ = 0;
  TicketFile::Identity lease_;
  int error_ = 0;
  std::string text_;
  bool is_held_by_another_ = false;  ///< as of the last attempt
};

}  // namespace array_interface::cuda
