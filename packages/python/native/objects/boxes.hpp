#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "interpreter/reference.hpp"
#include "objects/outside_bytes.hpp"

namespace array_interface {

class Boxes;

/// What a JavaScript PyObject has in C++.
struct Box {
  std::shared_ptr<Hold> hold;           ///< null once it was disposed
  std::shared_ptr<OutsideBytes> bytes;  ///< null for an object that has few
  std::shared_ptr<Boxes> boxes;         ///< those of its environment
};

/// The boxes of an environment. They lie in few blocks of memory, so that a pointer to one is soon
/// known: a type tag of Node-API for each object takes a fifth of a short call, and a set of
/// pointers as long. The memory of an ended one is used again. Used on one JavaScript thread.
class Boxes {
 public:
  /// Returns an empty box, which does not move.
  Box* Take() {
    if (free_.empty()) AddBlock();
    Box* const box = free_.back();
    free_.pop_back();
    return box;
  }

  void Return(Box* box) {
    *box = {};
    free_.push_back(box);
  }

  /// Whether this is a pointer to one of the boxes. Reads nothing there.
  bool Has(const void* pointer) const {
    const std::less<> is_before;
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      if (!is_before(pointer, block->data()) && is_before(pointer, block->data() + block->size())) {
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t kFewest = 64;

  /// Each is as large as all others together, so that there are few.
  void AddBlock() {
    const std::size_t more = std::max(kFewest, count_);
    free_.reserve(count_ + more);
    for (Box& box : blocks_.emplace_back(more)) free_.push_back(&box);
    count_ += more;
  }

  std::vector<std::vector<Box>> blocks_;
  std::vector<Box*> free_;
  std::size_t count_ = 0;
};

}  // namespace array_interface
