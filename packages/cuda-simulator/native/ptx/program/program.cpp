#include "program.hpp"

#include <algorithm>
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
    const std::function<std::vector<std::uint64_t>(const std::vector<std::size_t>&)>& allocate,
    const std::function<void(std::size_t, const std::vector<std::byte>&)>& write) {
  std::vector<Variable*> defined;
  std::vector<std::size_t> sizes;
  for (Variable& variable : variables_) {
    if (!variable.defined) continue;
    defined.push_back(&variable);
    sizes.push_back(std::max<std::size_t>(variable.size, 1));
  }
  const std::vector<std::uint64_t> addresses = allocate(sizes);
  for (std::size_t index = 0; index < defined.size(); ++index) {
    defined[index]->address = addresses[index];
  }
  for (std::size_t index = 0; index < defined.size(); ++index) {
    std::vector<std::byte> bytes = defined[index]->initial;
    bytes.resize(defined[index]->size);
    for (const Relocation& relocation : defined[index]->relocations) {
      const std::uint64_t address = address_of(relocation);
      std::memcpy(bytes.data() + relocation.where, &address, sizeof address);
    }
    write(index, bytes);
  }
  for (const auto& function : functions_) {
    for (const Relocation& relocation : function->relocations) {
      function->frame[relocation.where] = address_of(relocation);
    }
  }
}

}  // namespace array_interface::cuda_simulator::ptx
