#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace array_interface {

/// The modules that somebody needs: programs' own code, by the context where it is built and by its
/// bytes. A `Module` keeps its context() and its code(), and removes itself before it ends. From
/// any thread.
template <class Context, class Module>
class ModuleTable {
 public:
  /// The module of these bytes in a context. Null: nobody has one.
  std::shared_ptr<Module> Find(const Context& context, const std::string& code) {
    const std::lock_guard lock(mutex_);
    const auto found = modules_.find({&context, code});
    return found == modules_.end() ? nullptr : found->second.lock();
  }

  /// Adds a module, unless another thread has added an equal one. Gives the one in the table.
  std::shared_ptr<Module> Add(const std::shared_ptr<Module>& module) {
    const std::lock_guard lock(mutex_);
    const auto found = modules_.find(KeyOf(*module));
    if (found != modules_.end()) {
      if (auto live = found->second.lock()) return live;
      modules_.erase(found);  // its key lies in the module that ends
    }
    modules_.emplace(KeyOf(*module), module);
    return module;
  }

  /// Forgets a module, unless another has taken its entry by now: the key of an entry lies in its
  /// own module.
  void Remove(const Module& module) {
    const std::lock_guard lock(mutex_);
    const auto found = modules_.find(KeyOf(module));
    if (found == modules_.end()) return;
    if (found->first.second.data() == module.code().data()) modules_.erase(found);
  }

  /// How many have not been removed.
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
