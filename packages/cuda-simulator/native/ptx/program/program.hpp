#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "instruction.hpp"
#include "refusal.hpp"

namespace array_interface::cuda_simulator::ptx {

/// The offset and size of a parameter in the block of a kernel's or function's parameters.
struct Parameter {
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// Appends a value of `size` bytes after `offset`, aligned to `alignment`. Returns its place.
Parameter place_parameter(std::size_t& offset, std::size_t size, std::size_t alignment);

std::size_t round_up(std::size_t value, std::size_t alignment);

/// What a name with an address refers to.
struct Symbol {
  enum class Kind : std::uint8_t { none, variable, shared, function };
  Kind kind = Kind::none;
  std::uint32_t index = 0;
};

/// An address that is known only after linking and placing: `symbol + addend`, at `where` (a slot
/// of a frame, or a byte offset in a variable).
struct Relocation {
  Symbol symbol;
  std::int64_t addend = 0;
  std::size_t where = 0;
  bool generic = false;  ///< as a generic address rather than one of its own space
  unsigned line = 0;
};

/// A variable in global or constant memory.
struct Variable {
  std::string name;
  Space space = Space::global;
  std::size_t size = 0;
  std::size_t alignment = 1;
  bool defined = false;
  std::vector<std::byte> initial;  ///< empty: zeros
  std::vector<Relocation> relocations;
  std::uint64_t address = 0;  ///< once placed
};

/// A variable in shared memory, at the same offset in every block that uses it.
struct SharedVariable {
  std::size_t size = 0;
  std::size_t alignment = 1;
  std::size_t offset = 0;
  bool dynamic = false;  ///< begins after all others, and is as long as the launch specifies
};

/// A value that a frame receives on entry.
struct Fill {
  enum class Source : std::uint8_t {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    lanemask_eq,
    lanemask_le,
    lanemask_lt,
    lanemask_ge,
    lanemask_gt,
    dynamic_shared,
    total_shared,
    gridid,
    smid,
    nsmid,
    local_base,
    parameter_base,
  };
  Source source;
  Slot slot;
  std::int64_t addend = 0;
};

/// Where an instruction was written.
struct Line {
  unsigned number = 0;       ///< in the text
  unsigned file = 0;         ///< of the source, for Program::file_name(); 0: unknown
  unsigned source_line = 0;  ///< in that file
  std::string opcode;
};

/// The variables that pass the values of a call.
struct CallSite {
  struct Value {
    Slot slot;  ///< holds the address in parameter space
    std::size_t size;
  };
  std::vector<Value> results;
  std::vector<Value> arguments;
  Symbol callee;  ///< of a call by name
  unsigned line = 0;
};

struct Function {
  /// Functions that the device's runtime provides.
  using Builtin = void (*)(Thread&, const CallSite&);

  std::string name;
  bool kernel = false;
  bool defined = false;
  Builtin builtin = nullptr;
  std::vector<Parameter> results;  ///< of a device function; before the parameters
  std::vector<Parameter> parameters;
  std::size_t formal_bytes = 0;     ///< of results and parameters
  std::size_t parameter_bytes = 0;  ///< including the variables of calls
  std::size_t local_bytes = 0;
  std::vector<std::uint64_t> frame;  ///< registers at entry: immediates in place, the rest poison
  std::size_t declared_registers = 0;
  std::vector<Instruction> code;
  std::vector<Line> lines;  ///< of the code; without that of the last return
  std::vector<Fill> fills;
  std::vector<Relocation> relocations;
  std::vector<CallSite> calls;
  std::vector<std::vector<std::uint32_t>> branch_tables;
  unsigned maximum_threads = 1024;
  std::array<unsigned, 3> required_block{};  ///< .reqntid; zeros if there is none
  unsigned line = 0;
};

/// A function that can be launched, and what the driver reports about it.
struct Kernel {
  const Function* function = nullptr;
  std::size_t shared_bytes = 0;   ///< static
  std::size_t shared_extent = 0;  ///< bytes up to the end of the static shared variables it uses
  std::size_t constant_bytes = 0;
  unsigned registers = 0;
  unsigned ptx_version = 0;  ///< 78 for 7.8
  unsigned target = 0;       ///< 75 for sm_75
};

/// Loaded PTX: one or more texts, linked.
class Program {
 public:
  /// Returns null if there is no such kernel.
  const Kernel* find_kernel(std::string_view name) const;
  const std::vector<Kernel>& kernels() const { return kernels_; }

  const Variable* find_variable(std::string_view name) const;

  /// Assigns every variable an address, writes its initial contents, and resolves the addresses in
  /// the code. `allocate` returns the addresses of variables of these sizes, none of them 0, and
  /// `write` gets a variable's index among them. Call once, before anything runs.
  void place(
      const std::function<std::vector<std::uint64_t>(const std::vector<std::size_t>&)>& allocate,
      const std::function<void(std::size_t, const std::vector<std::byte>&)>& write);

  /// Returns the bytes of a block's shared memory, static and dynamic, as the code addresses it.
  std::size_t shared_bytes(const Kernel& kernel, std::size_t dynamic) const {
    return dynamic == 0 ? kernel.shared_extent : shared_end_ + dynamic;
  }

  /// Returns the name of a source file, as .file gives it. Empty if there is none.
  const std::string& file_name(unsigned file) const;

  const Function& function(std::uint32_t index) const { return *functions_[index]; }
  std::size_t function_count() const { return functions_.size(); }

 private:
  friend class Linker;

  std::uint64_t address_of(const Relocation& relocation) const;

  std::vector<std::unique_ptr<Function>> functions_;
  std::deque<Variable> variables_;
  std::deque<SharedVariable> shared_;
  std::map<unsigned, std::string> files_;
  std::vector<Kernel> kernels_;
  std::size_t shared_end_ = 0;  ///< where dynamic shared memory begins
};

}  // namespace array_interface::cuda_simulator::ptx
