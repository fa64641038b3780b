#include "linker.hpp"

#include <algorithm>
#include <vector>

#include "ptx/run/builtin.hpp"
#include "ptx/syntax/declaration.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

constexpr unsigned most_registers = 255;

/// The functions, and the shared and constant variables, that a function uses, directly or through
/// calls.
class Reach {
 public:
  Reach(const Program& program, std::uint32_t start) : program_(program) {
    functions.resize(program.function_count());
    std::vector<std::uint32_t> waiting{start};
    functions[start] = true;
    while (!waiting.empty()) {
      const Function& function = program_.function(waiting.back());
      waiting.pop_back();
      for (const Relocation& relocation : function.relocations) {
        symbols.push_back(relocation.symbol);
        if (relocation.symbol.kind != Symbol::Kind::function) continue;
        if (functions[relocation.symbol.index]) continue;
        functions[relocation.symbol.index] = true;
        waiting.push_back(relocation.symbol.index);
      }
    }
    const auto order = [](Symbol a, Symbol b) {
      return a.kind != b.kind ? a.kind < b.kind : a.index < b.index;
    };
    std::sort(symbols.begin(), symbols.end(), order);
    const auto same = [](Symbol a, Symbol b) { return a.kind == b.kind && a.index == b.index; };
    symbols.erase(std::unique(symbols.begin(), symbols.end(), same), symbols.end());
  }

  std::vector<bool> functions;
  std::vector<Symbol> symbols;

 private:
  const Program& program_;
};

}  // namespace

void Linker::begin_unit() { unit_.clear(); }

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

void Linker::add(std::string_view name, Linkage linkage, Symbol symbol) {
  unit_[std::string(name)] = symbol;
  if (linkage != Linkage::internal) visible_[std::string(name)] = symbol;
}

Function& Linker::declare_function(std::string_view name, Linkage linkage, unsigned line) {
  Symbol symbol = find_declared(name, linkage);
  if (symbol.kind == Symbol::Kind::none) {
    symbol = {Symbol::Kind::function, static_cast<std::uint32_t>(program_.functions_.size())};
    program_.functions_.push_back(std::make_unique<Function>());
    program_.functions_.back()->name = name;
    program_.functions_.back()->line = line;
  } else if (symbol.kind != Symbol::Kind::function) {
    refuse(line, "expected a new name, got '" + std::string(name) + "', which is a variable");
  }
  add(name, linkage, symbol);
  return *program_.functions_[symbol.index];
}

Function& Linker::discarded() {
  discarded_ = std::make_unique<Function>();
  return *discarded_;
}

Variable& Linker::declare_variable(const Declared& declared, Space space, Linkage linkage) {
  Symbol symbol = find_declared(declared.name, linkage);
  if (symbol.kind == Symbol::Kind::none) {
    symbol = {Symbol::Kind::variable, static_cast<std::uint32_t>(program_.variables_.size())};
    Variable& variable = program_.variables_.emplace_back();
    variable.name = declared.name;
    variable.space = space;
  } else if (symbol.kind != Symbol::Kind::variable) {
    refuse(declared.line, "expected a new name, got '" + std::string(declared.name) + "' again");
  }
  add(declared.name, linkage, symbol);
  Variable& variable = program_.variables_[symbol.index];
  variable.size = std::max(variable.size, declared.size);
  variable.alignment = std::max(variable.alignment, declared.alignment);
  return variable;
}

Symbol Linker::declare_shared(const Declared& declared, Linkage linkage) {
  Symbol symbol = find_declared(declared.name, linkage);
  if (symbol.kind == Symbol::Kind::none) {
    symbol = {Symbol::Kind::shared, static_cast<std::uint32_t>(program_.shared_.size())};
    SharedVariable& variable = program_.shared_.emplace_back();
    variable.name = declared.name;
    variable.dynamic = linkage == Linkage::external && declared.size == 0;
  } else if (symbol.kind != Symbol::Kind::shared) {
    refuse(declared.line, "expected a new name, got '" + std::string(declared.name) + "' again");
  }
  add(declared.name, linkage, symbol);
  SharedVariable& variable = program_.shared_[symbol.index];
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
  kernel.name = function.name;
  kernel.parameters = function.parameters;
  kernel.parameter_bytes = function.formal_bytes;
  kernel.local_bytes = function.local_bytes;
  kernel.maximum_threads = function.maximum_threads;
  kernel.registers = static_cast<unsigned>(
      std::min<std::size_t>(std::max<std::size_t>(function.declared_registers, 1), most_registers));
  const Reach reach(program_, index);
  for (const Symbol symbol : reach.symbols) {
    if (symbol.kind == Symbol::Kind::shared) {
      const SharedVariable& variable = program_.shared_[symbol.index];
      if (variable.dynamic) continue;
      kernel.shared_bytes = round_up(kernel.shared_bytes, variable.alignment) + variable.size;
      kernel.shared_extent = std::max(kernel.shared_extent, variable.offset + variable.size);
    } else if (symbol.kind == Symbol::Kind::variable) {
      const Variable& variable = program_.variables_[symbol.index];
      if (variable.space == Space::constant) kernel.constant_bytes += variable.size;
    }
  }
}

void Linker::finish(unsigned ptx_version, unsigned target) {
  for (const auto& function : program_.functions_) {
    for (const Relocation& relocation : function->relocations) require_defined(relocation);
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
  }
}

}  // namespace array_interface::cuda_simulator::ptx
