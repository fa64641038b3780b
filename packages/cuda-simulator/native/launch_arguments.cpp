#include "launch_arguments.hpp"

#include <cstring>

#include "call.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// Values that may follow one another in `extra`.
const void* const buffer_pointer_key = reinterpret_cast<void*>(1);
const void* const buffer_size_key = reinterpret_cast<void*>(2);

std::vector<std::byte> copy_buffer(const Function& function, void** extra) {
  const std::byte* buffer = nullptr;
  std::size_t size = 0;
  for (; *extra != nullptr; extra += 2) {
    if (*extra == buffer_pointer_key) buffer = static_cast<const std::byte*>(extra[1]);
    if (*extra == buffer_size_key) size = *static_cast<const std::size_t*>(extra[1]);
  }
  require(buffer != nullptr && size >= function.parameter_bytes);
  return {buffer, buffer + function.parameter_bytes};
}

}  // namespace

std::vector<std::byte> copy_arguments(const Function& function, void** parameters, void** extra) {
  if (extra != nullptr) {
    require(parameters == nullptr);
    return copy_buffer(function, extra);
  }
  std::vector<std::byte> arguments(function.parameter_bytes);
  for (std::size_t index = 0; index < function.parameters.size(); ++index) {
    const auto [offset, size] = function.parameters[index];
    require(parameters != nullptr && parameters[index] != nullptr);
    std::memcpy(arguments.data() + offset, parameters[index], size);
  }
  return arguments;
}

}  // namespace array_interface::cuda_simulator
