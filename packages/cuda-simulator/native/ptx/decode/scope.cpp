#include "scope.hpp"

#include <algorithm>
#include <tuple>

namespace array_interface::cuda_simulator::ptx {
namespace {

constexpr std::uint64_t poison = 0xCBCBCBCBCBCBCBCB;  // registers that nothing has written
constexpr std::size_t most_slots = 1 << 21;
constexpr std::size_t most_local_bytes = 512 << 10;  // per thread, on every device
constexpr std::size_t most_parameter_bytes = 64 << 10;

/// Returns where the digits at the end of a name begin. There are none if they begin with a zero.
std::size_t number_start(std::string_view name) {
  std::size_t start = name.size();
  while (start > 0 && name[start - 1] >= '0' && name[start - 1] <= '9') --start;
  const std::size_t digits = name.size() - start;
  if (digits == 0 || digits > 9 || (digits > 1 && name[start] == '0')) return name.size();
  return start;
}

}  // namespace

Slot Scopes::new_slot(std::uint64_t bits) {
  if (function_.frame.size() >= most_slots) {
    refuse(function_.line, "expected at most 2^21 registers in '" + function_.name + "', got more");
  }
  function_.frame.push_back(bits);
  return static_cast<Slot>(function_.frame.size() - 1);
}

void Scopes::declare(std::string_view name, const Entity& entity, unsigned line) {
  if (!scopes_.back().names.emplace(name, entity).second) {
    refuse(line, "expected a new name, got '" + std::string(name) + "' again");
  }
}

void Scopes::declare_register(const Declared& declared) {
  const Entity entity{Entity::Kind::register_, declared.type.type, new_slot(poison)};
  const std::uint64_t count = std::max<std::uint64_t>(declared.range, 1);
  for (std::uint64_t index = 1; index < count; ++index) new_slot(poison);
  function_.declared_registers += count;
  if (declared.range == 0) return declare(declared.name, entity, declared.line);
  scopes_.back().ranges[std::string(declared.name)] = {entity, declared.range};
}

void Scopes::declare_parameter(const Declared& declared) {
  const Parameter placed =
      place_parameter(function_.parameter_bytes, declared.size, declared.alignment);
  if (function_.parameter_bytes > most_parameter_bytes) {
    refuse(declared.line, "expected at most 64 KiB of parameters, got more");
  }
  declare_formal(declared, placed);
}

void Scopes::declare_formal(const Declared& declared, const Parameter& parameter) {
  if (declared.name == "_") return;
  const Entity entity{Entity::Kind::parameter, declared.type.type, nowhere, parameter.offset,
                      parameter.size};
  declare(declared.name, entity, declared.line);
}

void Scopes::declare_local(const Declared& declared) {
  const Entity entity{Entity::Kind::local, declared.type.type, nowhere,
                      round_up(function_.local_bytes, declared.alignment), declared.size};
  function_.local_bytes = entity.offset + declared.size;
  if (function_.local_bytes > most_local_bytes) {
    refuse(declared.line, "expected at most 512 KiB of local memory, got more");
  }
  declare(declared.name, entity, declared.line);
}

Entity Scopes::find_in(const Scope& scope, std::string_view name) const {
  const auto found = scope.names.find(name);
  if (found != scope.names.end()) return found->second;
  const std::size_t start = number_start(name);
  if (start == name.size()) return {};
  const auto range = scope.ranges.find(name.substr(0, start));
  if (range == scope.ranges.end()) return {};
  const std::uint64_t number = std::stoul(std::string(name.substr(start)));
  if (number >= range->second.count) return {};
  Entity entity = range->second.first;
  entity.slot += static_cast<Slot>(number);
  return entity;
}

Entity Scopes::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const Entity entity = find_in(*scope, name);
    if (entity.kind != Entity::Kind::none) return entity;
  }
  return {};
}

void Scopes::declare_label(std::string_view name, unsigned line) {
  const auto target = static_cast<std::uint32_t>(function_.code.size());
  if (!scopes_.back().labels.emplace(name, target).second) {
    refuse(line, "expected a new label, got '" + std::string(name) + "' again");
  }
}

void Scopes::branch(std::string_view label, std::size_t instruction, unsigned line) {
  scopes_.back().branches.push_back({std::string(label), false, instruction, 0, line});
}

void Scopes::branch(std::string_view label, std::size_t table, std::size_t entry, unsigned line) {
  scopes_.back().branches.push_back({std::string(label), true, table, entry, line});
}

void Scopes::resolve(const Branch& branch, std::uint32_t target) {
  if (branch.in_table) {
    function_.branch_tables[branch.where][branch.entry] = target;
  } else {
    function_.code[branch.where].target = target;
  }
}

void Scopes::close() {
  const Scope inner = std::move(scopes_.back());
  scopes_.pop_back();
  for (const Branch& branch : inner.branches) {
    const auto label = inner.labels.find(branch.label);
    if (label != inner.labels.end()) {
      resolve(branch, label->second);
    } else if (!scopes_.empty()) {
      scopes_.back().branches.push_back(branch);
    } else {
      refuse(branch.line, "expected a label of this function, got '" + branch.label + "'");
    }
  }
}

Slot Scopes::constant(std::uint64_t bits) {
  const auto [entry, is_new] = constants_.try_emplace(bits, nowhere);
  if (is_new) entry->second = new_slot(bits);
  return entry->second;
}

Slot Scopes::filled(Fill::Source source, std::int64_t addend) {
  const auto [entry, is_new] = fills_.try_emplace({source, addend}, nowhere);
  if (is_new) {
    entry->second = new_slot(0);
    function_.fills.push_back({source, entry->second, addend});
  }
  return entry->second;
}

Slot Scopes::relocated(Symbol symbol, std::int64_t addend, unsigned line) {
  const auto [entry, is_new] = relocated_.try_emplace({symbol.kind, symbol.index, addend}, nowhere);
  if (is_new) {
    entry->second = new_slot(0);
    function_.relocations.push_back({symbol, addend, entry->second, false, line});
  }
  return entry->second;
}

Slot Scopes::sink() {
  if (sink_ == nowhere) sink_ = new_slot(0);
  return sink_;
}

}  // namespace array_interface::cuda_simulator::ptx
