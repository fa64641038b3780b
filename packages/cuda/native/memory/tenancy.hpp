#pragma once

#include <stdexcept>
#include <string>

#include "napi/setup.hpp"

namespace array_interface::cuda {

/// The system gives no lock of a ticket's file, for the reason in what(): ERR_TICKET.
class NoTurn : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An opener's hold on memory that another process shares: a shared lock on the file of its lease.
/// The system drops the lock when this process ends, however it ends.
class Tenancy {
 public:
  static constexpr napi_type_tag kTag{0xe8124d6c93b7a05f, 0xa6f09b3d7c1e8254};

  /// What became of a ticket's lease.
  enum class State {
    kHeld,     ///< the lock is ours, and the sharer keeps the memory until it is given up
    kEnded,    ///< there is no such lease any more
    kForeign,  ///< a file that is no lease
  };

  /// `path` is /proc/PID/fd/N of the sharer. Does not wait.
  explicit Tenancy(const std::string& path);
  Tenancy(const Tenancy&) = delete;
  Tenancy& operator=(const Tenancy&) = delete;
  ~Tenancy() { Leave(); }

  /// Gives up the lock, once.
  void Leave() noexcept;

  State state() const { return state_; }
  /// Why the system refused: EMFILE, ENFILE: this process can open no more files; ENOLCK: it gives
  /// no lock. 0: it has opened it, or there is none.
  int error() const { return error_; }
  /// What the sharer wrote about its tickets. Empty unless the lease is held.
  const std::string& text() const { return text_; }

  /// Lets one process at a time move the event that openers share. Waits for the others' moment.
  class Turn {
   public:
    /// Throws NoTurn.
    explicit Turn(const Tenancy& tenancy);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    const Tenancy& tenancy_;
  };

 private:
  int file_ = -1;
  State state_ = State::kEnded;
  int error_ = 0;
  std::string text_;
};

}  // namespace array_interface::cuda
