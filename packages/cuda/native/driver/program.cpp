#include "driver/program.hpp"

#include <cstddef>
#include <string>

#include "driver/driver.hpp"

namespace array_interface::cuda {

Program::Program(const char* image) {
  constexpr std::size_t kLogSize = 4096;
  std::string log(kLogSize, '\0');
  JitOption options[] = {kJitErrorLog, kJitErrorLogSize};
  void* values[] = {log.data(), reinterpret_cast<void*>(kLogSize)};
  const auto& load = Cuda().cuModuleLoadDataEx;
  const Result result = load.Try(&module_, image, 2, options, values);
  if (result != kSuccess) throw DriverError(result, load.name, log.c_str());
}

// NOLINTNEXTLINE(bugprone-exception-escape): every driver has the function
Program::~Program() {
  if (module_ != nullptr) Cuda().cuModuleUnload.Try(module_);
}

FunctionHandle Program::Kernel(const char* name) const {
  FunctionHandle kernel = nullptr;
  Cuda().cuModuleGetFunction(&kernel, module_, name);
  return kernel;
}

}  // namespace array_interface::cuda
