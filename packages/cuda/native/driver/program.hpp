#pragma once

#include "driver/abi.hpp"

namespace array_interface::cuda {

/// A module of ours, compiled from PTX by the driver for the current context. It is unloaded unless
/// it is kept.
class Program {
 public:
  /// Compiles, which takes some hundred milliseconds. Throws DriverError with the message of the
  /// driver's compiler.
  explicit Program(const char* ptx);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  /// A kernel, valid as long as the module. Throws DriverError.
  FunctionHandle Kernel(const char* name) const;
  /// Leaves the module loaded for the life of its context.
  void Keep() { module_ = nullptr; }

 private:
  ModuleHandle module_ = nullptr;
};

}  // namespace array_interface::cuda
