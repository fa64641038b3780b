#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace array_interface::cuda_simulator {

/// Objects by handle. A handle is never used twice, so a destroyed one is always recognised; it is
/// no address. Thread-safe.
template <class Object>
class HandleTable {
 public:
  /// `family` keeps the handles of different tables apart.
  explicit HandleTable(std::uint64_t family) : next_((family << 40) | 0x1000) {}

  /// A handle for `object`, not yet found by find().
  std::uint64_t reserve() {
    std::lock_guard lock(mutex_);
    return next_ += 16;
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

  /// The object, or null if the handle is none of ours or destroyed.
  std::shared_ptr<Object> find(std::uint64_t handle) {
    std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  /// Takes the object out; null if there is none.
  std::shared_ptr<Object> remove(std::uint64_t handle) {
    std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

  /// Takes out all that `wanted` says yes to.
  template <class Predicate>
  std::vector<std::shared_ptr<Object>> remove_if(Predicate wanted) {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> removed;
    for (auto entry = objects_.begin(); entry != objects_.end();) {
      if (wanted(*entry->second)) {
        removed.push_back(std::move(entry->second));
        entry = objects_.erase(entry);
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

  /// The handle of the first object that `wanted` says yes to; 0 if there is none.
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
  std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Object>> objects_;
  std::uint64_t next_;
};

}  // namespace array_interface::cuda_simulator
