#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "driver/context_device.hpp"
#include "driver/reference.hpp"

namespace array_interface::sycl {

/// A program's own code in one context: all kernels of the same bytes share it, in all threads. It
/// is built once. The runtime keeps it as long as launches need it.
class LoadedModule {
 public:
  /// The module of these bytes. One that the compiler has refused is tried again.
  static std::shared_ptr<LoadedModule> Of(std::shared_ptr<ContextDevice> context,
                                          std::string spirv);

  /// How many this process has.
  static std::size_t count();

  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  /// One of its functions, by one native kernel object for all who launch it: Intel's runtime keeps
  /// some 2 KB for good of each.
  struct Function {
    KernelReference kernel;
    std::mutex launching;  ///< the arguments of a native kernel object are part of its state
  };

  /// Builds it, unless it is built. On the builder's thread. False: the compiler refuses it.
  bool Load();
  /// A function of the module that is built, which has it as long as it lives; null where there is
  /// none of that name.
  Function* Find(const std::string& name);
  const std::shared_ptr<ContextDevice>& context() const { return context_; }
  const std::string& code() const { return spirv_; }

 private:
  LoadedModule(std::shared_ptr<ContextDevice> context, std::string spirv)
      : context_(std::move(context)), spirv_(std::move(spirv)) {}

  std::shared_ptr<ContextDevice> context_;
  const std::string spirv_;
  std::mutex mutex_;  ///< of what follows
  bool was_tried_ = false;
  KernelBundleReference bundle_;
  std::map<std::string, Function> functions_;
};

}  // namespace array_interface::sycl
