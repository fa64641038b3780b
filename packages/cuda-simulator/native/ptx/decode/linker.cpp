#include "linker.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "ptx/run/builtin.hpp"
#include "ptx/syntax/declaration.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

constexpr unsigned most_registers = 255;
/// More has to be dynamic.
constexpr std::size_t most_static_shared = std::size_t{48} * 1024;

/// Returns the functions and variables that a function uses, directly or through calls.
std::set<std::pair<Symbol::Kind, std::uint32_t>> used_by(const Program& program,
                                                         std::uint32_t start) {
  std::set<std::pair<Symbol::Kind, std::uint32_t>> used;
  std::vector<std::uint32_t> waiting{start};
  while (!waiting.empty()) {
    const Function& function = program.function(waiting.back());
    waiting.pop_back();
    for (const Relocation& relocation : function.relocations) {
      const auto& [kind, index] = relocation.symbol;
      const bool is_new = used.emplace(kind, index).second;
      if (is_new && kind == Symbol::Kind::function) waiting.push_back(index);
    }
  }
  return used;
}

}  // namespace

void Linker::begin_unit() {
  unit_.clear();
  ++unit_number_;
}

unsigned Linker::file_of(std::uint64_t number) const {
  return unit_number_ << 16 | static_cast<unsigned>(number & 0xffff);
}

void Linker::declare_file(std::uint64_t number, std::string_view name) {
  program_.files_[file_of(number)] = name;
}

Symbol Linker::find(std::string_view name) const {
  const auto found = unit_.find(name);
  return found == unit_.end() ? Symbol{} : found->second;
}

Symbol Linker::find_declared(std::string_view name, Linkage linkage) const {
  const Symbol known = find(name);
  if (known.kind != Symbol::Kind::none || linkage == Linkage::internal) return known;
  const auto found = visible_.find(name);
  return found == visible_.end() ? Symbol{} : found->second;
}

Symbol Linker::declare(std::string_view name, Linkage linkage, Symbol fresh, unsigned line) {
  Symbol symbol = find_declared(name, linkage);
  if (symbol.kind == Symbol::Kind::none) symbol = fresh;
  if (symbol.kind != fresh.kind) {
    const bool is_function = fresh.kind == Symbol::Kind::function;
    refuse(line, "expected a new name, got '" + std::string(name) + "'" +
                     (is_function ? ", which is a variable" : " again"));
  }
  unit_[std::string(name)] = symbol;
  if (linkage != Linkage::internal) visible_[std::string(name)] = symbol;
  return symbol;
}

Function& Linker::declare_function(std::string_view name, Linkage linkage, unsigned line) {
  auto& functions = program_.functions_;
  const Symbol fresh{Symbol::Kind::function, static_cast<std::uint32_t>(functions.size())};
  const Symbol symbol = declare(name, linkage, fresh, line);
  if (symbol.index == functions.size()) {
    functions.push_back(std::make_unique<Function>());
    functions.back()->name = name;
    functions.back()->line = line;
  }
  return *functions[symbol.index];
}

Function& Linker::discarded() {
  discarded_ = std::make_unique<Function>();
  return *discarded_;
}

Variable& Linker::declare_variable(const Declared& declared, Space space, Linkage linkage) {
  auto& variables = program_.variables_;
  const Symbol fresh{Symbol::Kind::variable, static_cast<std::uint32_t>(variables.size())};
  const Symbol symbol = declare(declared.name, linkage, fresh, declared.line);
  if (symbol.index == variables.size()) {
    variables.emplace_back().name = declared.name;
    variables.back().space = space;
  }
  Variable& variable = variables[symbol.index];
  variable.size = std::max(variable.size, declared.size);
  variable.alignment = std::max(variable.alignment, declared.alignment);
  return variable;
}

Symbol Linker::declare_shared(const Declared& declared, Linkage linkage) {
  auto& variables = program_.shared_;
  const Symbol fresh{Symbol::Kind::shared, static_cast<std::uint32_t>(variables.size())};
  const Symbol symbol = declare(declared.name, linkage, fresh, declared.line);
  if (symbol.index == variables.size()) {
    variables.emplace_back().dynamic = linkage == Linkage::external && declared.size == 0;
  }
  SharedVariable& variable = variables[symbol.index];
  variable.size = std::max(variable.size, declared.size);
  variable.alignment = std::max(variable.alignment, declared.alignment);
  return symbol;
}

void Linker::require_defined(const Relocation& relocation) const {
  const Symbol symbol = relocation.symbol;
  std::string name;
  if (symbol.kind == Symbol::Kind::function) {
    Function& function = *program_.functions_[symbol.index];
    if (!function.defined && function.builtin == nullptr) function.builtin = find_builtin(function);
    if (!function.defined && function.builtin == nullptr) name = function.name;
  } else if (symbol.kind == Symbol::Kind::variable) {
    if (!program_.variables_[symbol.index].defined) name = program_.variables_[symbol.index].name;
  }
  if (!name.empty()) {
    refuse(relocation.line, "expected a definition of '" + name +
                                "', which is used here, got none in what was linked");
  }
}

void Linker::require_device_function(const CallSite& site) const {
  if (site.callee.kind != Symbol::Kind::function) return;
  const Function& callee = *program_.functions_[site.callee.index];
  if (!callee.kernel) return;
  refuse(site.line,
         "illegal call target: expected a device function, got the kernel '" + callee.name + "'");
}

void Linker::require_shared_fits(const Kernel& kernel) {
  if (kernel.shared_bytes <= most_static_shared) return;
  refuse(kernel.function->line, "expected at most " + std::to_string(most_static_shared) +
                                    " bytes of static shared memory for '" + kernel.function->name +
                                    "', got " + std::to_string(kernel.shared_bytes));
}

void Linker::lay_out_shared() {
  std::size_t end = 0;
  std::size_t alignment = 16;
  for (SharedVariable& variable : program_.shared_) {
    alignment = std::max(alignment, variable.alignment);
    if (variable.dynamic) continue;
    variable.offset = round_up(end, variable.alignment);
    end = variable.offset + variable.size;
  }
  program_.shared_end_ = round_up(end, alignment);
  for (SharedVariable& variable : program_.shared_) {
    if (variable.dynamic) variable.offset = program_.shared_end_;
  }
}

void Linker::describe(std::uint32_t index, Kernel& kernel) const {
  const Function& function = *program_.functions_[index];
  kernel.function = &function;
  kernel.registers = static_cast<unsigned>(
      std::min<std::size_t>(std::max<std::size_t>(function.declared_registers, 1), most_registers));
  for (const auto& [kind, used] : used_by(program_, index)) {
    if (kind == Symbol::Kind::shared) {
      const SharedVariable& variable = program_.shared_[used];
      if (variable.dynamic) continue;
      kernel.shared_bytes = round_up(kernel.shared_bytes, variable.alignment) + variable.size;
      kernel.shared_extent = std::max(kernel.shared_extent, variable.offset + variable.size);
    } else if (kind == Symbol::Kind::variable) {
      const Variable& variable = program_.variables_[used];
      if (variable.space == Space::constant) kernel.constant_bytes += variable.size;
    }
  }
}

void Linker::finish(unsigned ptx_version, unsigned target) {
  for (const auto& function : program_.functions_) {
    for (const Relocation& relocation : function->relocations) require_defined(relocation);
    for (const CallSite& site : function->calls) require_device_function(site);
  }
  for (const Variable& variable : program_.variables_) {
    for (const Relocation& relocation : variable.relocations) require_defined(relocation);
  }
  lay_out_shared();
  for (std::uint32_t index = 0; index < program_.functions_.size(); ++index) {
    const Function& function = *program_.functions_[index];
    if (!function.kernel || !function.defined) continue;
    Kernel& kernel = program_.kernels_.emplace_back();
    describe(index, kernel);
    kernel.ptx_version = ptx_version;
    kernel.target = target;
    require_shared_fits(kernel);
  }
}

}  // namespace array_interface::cuda_simulator::ptx
