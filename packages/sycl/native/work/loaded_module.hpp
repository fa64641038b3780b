#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "driver/context_device.hpp"
#include "driver/reference.hpp"

namespace array_interface::sycl {

/// A module of user kernels in one context. All kernels with the same bytes share it, in all
/// threads. It is built once. The runtime keeps it as long as launches need it.
class LoadedModule {
 public:
  /// Returns the module with these bytes. Tries again if the compiler refused it before.
  static std::shared_ptr<LoadedModule> Of(std::shared_ptr<ContextDevice> context,
                                          std::string spirv);

  /// The number of modules of this process.
  static std::size_t count();

  ~LoadedModule();

  /// One function of the module, with one native kernel object for all who launch it: Intel's
  /// runtime never frees some 2 KB of each.
  struct Function {
    KernelReference kernel;
    std::mutex launching;  ///< the arguments of a native kernel object are part of its state
  };

  /// Builds the module, unless it is built. Called on the builder's thread. False if the compiler
  /// refuses it.
  bool Load();
  /// Returns a function of the module, which must be built. Valid as long as the module. Null if
  /// there is no function of that name.
  Function* Find(const std::string& name);
  const std::shared_ptr<ContextDevice>& context() const { return context_; }
  const std::string& code() const { return spirv_; }

 private:
  LoadedModule(std::shared_ptr<ContextDevice> context, std::string spirv)
      : context_(std::move(context)), spirv_(std::move(spirv)) {}

  std::shared_ptr<ContextDevice> context_;
  const std::string spirv_;
  std::mutex mutex_;  ///< protects the members below
  bool was_tried_ = false;
  KernelBundleReference bundle_;
  std::map<std::string, Function> functions_;
};

}  // namespace array_interface::sycl
