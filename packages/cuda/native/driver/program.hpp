#pragma once

#include "driver/abi.hpp"

namespace array_interface::cuda {

/// A module in the current context, which the driver compiles from PTX or loads from machine code.
/// The destructor unloads it, in that context, unless it is kept.
class Program {
 public:
  /// `image`: null-terminated PTX, a cubin or a fat binary. Compiling takes some hundred
  /// milliseconds. Throws DriverError with the message of the driver's compiler.
  explicit Program(const char* image);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  /// Returns a kernel, valid as long as the module. Throws DriverError.
  FunctionHandle Kernel(const char* name) const;
  /// Leaves the module loaded for the life of its context.
  void Keep() { module_ = nullptr; }

 private:
  ModuleHandle module_ = nullptr;
};

}  // namespace array_interface::cuda
