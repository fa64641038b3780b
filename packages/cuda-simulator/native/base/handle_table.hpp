#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "failure.hpp"
#include "immortal.hpp"

namespace array_interface::cuda_simulator {

/// What happens to an object's handle once the object has ended.
enum class Handles {
  unique,  ///< never returned again, so that a stale one is always recognised
  reused,  ///< returned again as soon as it is free, the last freed first
};

/// Objects by the driver's handles, which are pointers or numbers. Unlike real drivers' handles,
/// these are not addresses: a program that keeps an ended object's address finds another object
/// there. Reused handles imitate that. Thread-safe.
template <class Object, class Handle>
class HandleTable {
 public:
  /// `family` keeps the handles of different tables distinct. `unknown` is the error of get() and
  /// take().
  explicit HandleTable(unsigned long long family, CUresult unknown = CUDA_ERROR_INVALID_HANDLE,
                       Handles handles = Handles::unique)
      : unknown_(unknown), handles_(handles), next_((family << 40) | 0x1000) {}

  /// Returns a handle for put(). find() does not find it until then.
  Handle reserve() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return reinterpret_cast<Handle>(next_ += 16);
    const Handle handle = free_.back();
    free_.pop_back();
    return handle;
  }

  Handle add(std::shared_ptr<Object> object) {
    const Handle handle = reserve();
    put(handle, std::move(object));
    return handle;
  }

  void put(Handle handle, std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex_);
    objects_.emplace(handle, std::move(object));
  }

  /// Returns the object, or null for a handle that is destroyed or not from this table.
  std::shared_ptr<Object> find(Handle handle) {
    std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  /// Returns the object. Throws Failure if there is none.
  std::shared_ptr<Object> get(Handle handle) { return known(find(handle)); }

  /// Removes the object and returns it. Null if there is none.
  std::shared_ptr<Object> remove(Handle handle) {
    std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    erase(found);
    return object;
  }

  /// Removes the object and returns it. Throws Failure if there is none.
  std::shared_ptr<Object> take(Handle handle) { return known(remove(handle)); }

  /// Removes all objects that `wanted` accepts, and returns them.
  template <class Predicate>
  std::vector<std::shared_ptr<Object>> remove_if(Predicate wanted) {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> removed;
    for (auto entry = objects_.begin(); entry != objects_.end();) {
      if (wanted(*entry->second)) {
        removed.push_back(std::move(entry->second));
        entry = erase(entry);
      } else {
        ++entry;
      }
    }
    return removed;
  }

  template <class Predicate>
  std::size_t count_if(Predicate wanted) {
    std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& [handle, object] : objects_) count += wanted(*object) ? 1 : 0;
    return count;
  }

  /// Returns the handle of an object. Throws Failure NOT_FOUND if it has none.
  Handle handle_of(const std::shared_ptr<Object>& wanted) {
    std::lock_guard lock(mutex_);
    for (const auto& [handle, object] : objects_) {
      if (object == wanted) return handle;
    }
    throw Failure{CUDA_ERROR_NOT_FOUND};
  }

  std::size_t size() {
    std::lock_guard lock(mutex_);
    return objects_.size();
  }

 private:
  using Objects = std::map<Handle, std::shared_ptr<Object>>;

  std::shared_ptr<Object> known(std::shared_ptr<Object> object) const {
    require(object != nullptr, unknown_);
    return object;
  }

  typename Objects::iterator erase(typename Objects::iterator entry) {
    if (handles_ == Handles::reused) free_.push_back(entry->first);
    return objects_.erase(entry);
  }

  const CUresult unknown_;
  const Handles handles_;
  std::mutex mutex_;
  Objects objects_;
  std::vector<Handle> free_;  // reused handles, the last freed at the end
  unsigned long long next_;
};

}  // namespace array_interface::cuda_simulator
