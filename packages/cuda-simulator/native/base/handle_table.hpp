#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace array_interface::cuda_simulator {

/// What happens to an object's handle once the object has ended.
enum class Handles {
  unique,  ///< never returned again, so that a stale one is always recognised
  reused,  ///< returned again as soon as it is free, the last freed first
};

/// Objects by handle. Unlike real drivers' handles, these are not addresses: a program that keeps
/// an ended object's address finds another object there. Reused handles imitate that. Thread-safe.
template <class Object>
class HandleTable {
 public:
  /// `family` keeps the handles of different tables distinct.
  explicit HandleTable(std::uint64_t family, Handles handles = Handles::unique)
      : handles_(handles), next_((family << 40) | 0x1000) {}

  /// Returns a handle for put(). find() does not find it until then.
  std::uint64_t reserve() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return next_ += 16;
    const std::uint64_t handle = free_.back();
    free_.pop_back();
    return handle;
  }

  std::uint64_t add(std::shared_ptr<Object> object) {
    const std::uint64_t handle = reserve();
    put(handle, std::move(object));
    return handle;
  }

  void put(std::uint64_t handle, std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex_);
    objects_.emplace(handle, std::move(object));
  }

  /// Returns the object, or null for a handle that is destroyed or not from this table.
  std::shared_ptr<Object> find(std::uint64_t handle) {
    std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  /// Removes the object and returns it. Null if there is none.
  std::shared_ptr<Object> remove(std::uint64_t handle) {
    std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    erase(found);
    return object;
  }

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

  /// Returns the handle of the first object that `wanted` accepts, or 0 if there is none.
  template <class Predicate>
  std::uint64_t find_handle(Predicate wanted) {
    std::lock_guard lock(mutex_);
    for (const auto& [handle, object] : objects_) {
      if (wanted(*object)) return handle;
    }
    return 0;
  }

  std::size_t size() {
    std::lock_guard lock(mutex_);
    return objects_.size();
  }

 private:
  using Objects = std::map<std::uint64_t, std::shared_ptr<Object>>;

  typename Objects::iterator erase(typename Objects::iterator entry) {
    if (handles_ == Handles::reused) free_.push_back(entry->first);
    return objects_.erase(entry);
  }

  const Handles handles_;
  std::mutex mutex_;
  Objects objects_;
  std::vector<std::uint64_t> free_;  // reused handles, the last freed at the end
  std::uint64_t next_;
};

}  // namespace array_interface::cuda_simulator
