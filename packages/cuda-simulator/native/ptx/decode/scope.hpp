#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/program/program.hpp"
#include "ptx/syntax/declaration.hpp"

namespace array_interface::cuda_simulator::ptx {

/// What a name inside a function refers to.
struct Entity {
  enum class Kind : std::uint8_t { none, register_, parameter, local, branch_targets, prototype };
  Kind kind = Kind::none;
  Type type = Type::none;
  Slot slot = nowhere;     ///< of a register
  std::size_t offset = 0;  ///< in parameter or local space; index of a branch table
  std::size_t size = 0;
};

/// The slots of a function's frame, and the meaning of its names at this point of the text.
class Scopes {
 public:
  explicit Scopes(Function& function) : function_(function) { scopes_.emplace_back(); }

  void open() { scopes_.emplace_back(); }
  /// Resolves branches to labels of the innermost scope. Leaves the others to the enclosing scope.
  void close();
  std::size_t depth() const { return scopes_.size(); }

  void declare_register(const Declared& declared);
  void declare_parameter(const Declared& declared);
  void declare_formal(const Declared& declared, const Parameter& parameter);
  void declare_local(const Declared& declared);
  void declare(std::string_view name, const Entity& entity, unsigned line);
  Entity find(std::string_view name) const;

  /// Declares a label at the next instruction.
  void declare_label(std::string_view name, unsigned line);
  /// Sets `code[instruction].target` once the label is declared.
  void branch(std::string_view label, std::size_t instruction, unsigned line);
  /// Sets `branch_tables[table][entry]` once the label is declared.
  void branch(std::string_view label, std::size_t table, std::size_t entry, unsigned line);

  // Slots that are not registers. Equal constants share one.
  Slot constant(std::uint64_t bits);
  Slot filled(Fill::Source source, std::int64_t addend = 0);
  Slot relocated(Symbol symbol, std::int64_t addend, unsigned line);
  /// Returns a slot for a result that nobody reads.
  Slot sink();

 private:
  struct Branch {
    std::string label;
    bool in_table;
    std::size_t where;
    std::size_t entry;
    unsigned line;
  };
  struct Range {
    Entity first;
    std::uint64_t count;
  };
  struct Scope {
    std::map<std::string, Entity, std::less<>> names;
    std::map<std::string, Range, std::less<>> ranges;  ///< of "%r<8>", by "%r"
    std::map<std::string, std::uint32_t, std::less<>> labels;
    std::vector<Branch> branches;
  };

  Slot new_slot(std::uint64_t bits);
  void resolve(const Branch& branch, std::uint32_t target);
  Entity find_in(const Scope& scope, std::string_view name) const;

  Function& function_;
  std::vector<Scope> scopes_;
  std::map<std::uint64_t, Slot> constants_;
  std::map<std::pair<Fill::Source, std::int64_t>, Slot> fills_;
  std::map<std::tuple<Symbol::Kind, std::uint32_t, std::int64_t>, Slot> relocated_;
  Slot sink_ = nowhere;
};

}  // namespace array_interface::cuda_simulator::ptx
