#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace array_interface {

/// The modules in use, that is, compiled code of programs, by the context they are built in and by
/// their bytes. A `Module` keeps its context() and its code(), and removes itself before it is
/// destroyed. Safe to use from any thread.
template <class Context, class Module>
class ModuleTable {
 public:
  /// Returns the module of these bytes in a context. Null if there is none.
  std::shared_ptr<Module> Find(const Context& context, const std::string& code) {
    const std::lock_guard lock(mutex_);
    const auto found = modules_.find({&context, code});
    return found == modules_.end() ? nullptr : found->second.lock();
  }

  /// Adds a module, unless another thread has added an equal one. Returns the one in the table.
  std::shared_ptr<Module> Add(const std::shared_ptr<Module>& module) {
    const std::lock_guard lock(mutex_);
    const auto found = modules_.find(KeyOf(*module));
    if (found != modules_.end()) {
      if (auto live = found->second.lock()) return live;
      modules_.erase(found);  // its key is stored in the module that is being destroyed
    }
    modules_.emplace(KeyOf(*module), module);
    return module;
  }

  /// Removes a module, unless another one has replaced its entry. The comparison works because each
  /// key is stored in its own module.
  void Remove(const Module& module) {
    const std::lock_guard lock(mutex_);
    const auto found = modules_.find(KeyOf(module));
    if (found == modules_.end()) return;
    if (found->first.second.data() == module.code().data()) modules_.erase(found);
  }

  /// How many modules have not been removed.
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return modules_.size();
  }

 private:
  using Key = std::pair<const Context*, std::string_view>;

  static Key KeyOf(const Module& module) { return {module.context().get(), module.code()}; }

  mutable std::mutex mutex_;
  std::map<Key, std::weak_ptr<Module>> modules_;
};

}  // namespace array_interface
