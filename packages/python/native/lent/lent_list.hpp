#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "napi/object_refs.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// What keeps memory of JavaScript's while Python has it. Python's object and the list of the entry
/// that made it share this; any thread may drop the last reference.
struct Lent {
  std::shared_ptr<void> kept;  ///< null while a call's own arguments keep the memory
};

/// The memory that conversions have lent to Python, until JavaScript may run again.
///
/// While Python runs, nothing can move or free the memory of an argument. Before JavaScript runs,
/// and at the end of an entry, what Python still has is kept, and its buffer must be held: the
/// caller does so once it is detached. On the JavaScript thread only.
class LentList {
 public:
  /// Notes memory of the buffer, whose handle must stay valid until the next Keep.
  void Add(std::shared_ptr<Lent> lent, napi_value buffer);

  bool empty() const { return lent_.size() == base_; }

  /// Begins an entry, which leaves alone what those around it have lent. Returns what Leave takes.
  std::size_t Enter();
  void Leave(std::size_t outer) { base_ = outer; }

  /// Keeps what Python still has, and forgets the rest. Returns the buffers to hold.
  std::vector<napi_value> Keep(ObjectRefs& refs);

  /// After JavaScript ran within a conversion: throws ERR_DISPOSED if it detached a buffer that the
  /// conversion has lent, which Python has not used yet.
  void CheckAttached(Napi::Env env) const;

 private:
  struct Entry {
    std::shared_ptr<Lent> lent;
    napi_value buffer;
    /// True if Python dropped it: nothing else refers to it.
    bool is_dropped() const { return lent.use_count() == 1; }
  };
  std::vector<Entry> lent_;
  std::size_t base_ = 0;
};

}  // namespace array_interface
