#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ptx/program/program.hpp"

namespace array_interface::cuda_simulator::ptx {

struct Declared;

/// Where a name is visible: in its own text, or in all linked texts.
enum class Linkage : std::uint8_t { internal, visible, weak, external };

/// Collects what the texts of a program declare and define, and merges equal names.
class Linker {
 public:
  explicit Linker(Program& program) : program_(program) {}

  /// Begins a text, and drops the internal names of the previous one.
  void begin_unit();

  /// Names a source file of this text by its number.
  void declare_file(std::uint64_t number, std::string_view name);
  /// Returns a source file of this text as Program knows it; its name may follow later.
  unsigned file_of(std::uint64_t number) const;

  Function& declare_function(std::string_view name, Linkage linkage, unsigned line);
  Variable& declare_variable(const Declared& declared, Space space, Linkage linkage);
  Symbol declare_shared(const Declared& declared, Linkage linkage);

  /// Returns what a name refers to in this text.
  Symbol find(std::string_view name) const;
  const Function& function(Symbol symbol) const { return *program_.functions_[symbol.index]; }

  /// Holds a repeated definition, so that it can be parsed. It is not used.
  Function& discarded();

  /// Checks that everything used is defined, and lays out shared memory.
  void finish(unsigned ptx_version, unsigned target);

 private:
  using Names = std::map<std::string, Symbol, std::less<>>;

  Symbol find_declared(std::string_view name, Linkage linkage) const;
  /// Returns what a name refers to. A new name gets this symbol. Refuses a name of another kind.
  Symbol declare(std::string_view name, Linkage linkage, Symbol fresh, unsigned line);
  void require_defined(const Relocation& relocation) const;
  void require_device_function(const CallSite& site) const;
  static void require_shared_fits(const Kernel& kernel);
  void lay_out_shared();
  void describe(std::uint32_t index, Kernel& kernel) const;

  Program& program_;
  Names visible_;
  Names unit_;
  unsigned unit_number_ = 0;
  std::unique_ptr<Function> discarded_;
};

}  // namespace array_interface::cuda_simulator::ptx
