#include "program.hpp"

#include <cstring>

#include "address.hpp"

namespace array_interface::cuda_simulator::ptx {

std::size_t round_up(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

Parameter place_parameter(std::size_t& offset, std::size_t size, std::size_t alignment) {
  offset = round_up(offset, alignment);
  const Parameter parameter{offset, size};
  offset += size;
  return parameter;
}

const Kernel* Program::find_kernel(std::string_view name) const {
  for (const Kernel& kernel : kernels_) {
    if (kernel.function->name == name) return &kernel;
  }
  return nullptr;
}

const Variable* Program::find_variable(std::string_view name) const {
  for (const Variable& variable : variables_) {
    if (variable.name == name && variable.defined) return &variable;
  }
  return nullptr;
}

const std::string& Program::file_name(unsigned file) const {
  static const std::string none;
  const auto found = files_.find(file);
  return found == files_.end() ? none : found->second;
}

std::uint64_t Program::address_of(const Relocation& relocation) const {
  const auto addend = static_cast<std::uint64_t>(relocation.addend);
  switch (relocation.symbol.kind) {
    case Symbol::Kind::variable:
      return variables_[relocation.symbol.index].address + addend;
    case Symbol::Kind::shared:
      return shared_[relocation.symbol.index].offset + addend +
             (relocation.generic ? shared_window : 0);
    case Symbol::Kind::function:
      return function_window + relocation.symbol.index + addend;
    default:
      return addend;
  }
}

void Program::place(
    const std::function<std::uint64_t(const Variable&)>& allocate,
    const std::function<void(const Variable&, const std::vector<std::byte>&)>& write) {
  for (Variable& variable : variables_) {
    if (variable.defined) variable.address = allocate(variable);
  }
  for (const Variable& variable : variables_) {
    if (!variable.defined) continue;
    std::vector<std::byte> bytes = variable.initial;
    bytes.resize(variable.size);
    for (const Relocation& relocation : variable.relocations) {
      const std::uint64_t address = address_of(relocation);
      std::memcpy(bytes.data() + relocation.where, &address, sizeof address);
    }
    write(variable, bytes);
  }
  for (const auto& function : functions_) {
    for (const Relocation& relocation : function->relocations) {
      function->frame[relocation.where] = address_of(relocation);
    }
  }
}

}  // namespace array_interface::cuda_simulator::ptx
