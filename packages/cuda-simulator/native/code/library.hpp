#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "module.hpp"

namespace array_interface::cuda_simulator {

/// Code that belongs to no context. It is loaded into each context at first use there.
struct Library {
  std::string image;
  std::vector<std::string> kernels;  ///< names

  /// Returns the module in a context. Throws Failure.
  std::shared_ptr<Module> module_in(Context& context);

  /// Returns the handle of that module, for callers that need one.
  CUmodule handle_in(Context& context);

  /// Invalidates the handles of its modules when the library is unloaded.
  void end_handles();

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Module>> loaded_;  // by context id
  std::map<std::uint64_t, CUmodule> handles_;
};

/// A kernel of a library, in any context.
struct LibraryKernel {
  std::shared_ptr<Library> library;
  std::string name;

  /// Returns the function in a context. Throws Failure.
  std::shared_ptr<Function> function_in(Context& context);
  CUfunction handle_in(Context& context);

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, CUfunction> handles_;  // by context id
};

inline HandleTable<Library, CUlibrary>& libraries() {
  return immortal<HandleTable<Library, CUlibrary>, 0x1B>();
}

inline HandleTable<LibraryKernel, CUkernel>& library_kernels() {
  return immortal<HandleTable<LibraryKernel, CUkernel>, 0x1C>();
}

/// Returns the function of a handle to a function, or to a kernel of a library. Throws Failure
/// INVALID_HANDLE.
std::shared_ptr<Function> function_of(CUfunction handle, Context& context);

}  // namespace array_interface::cuda_simulator
