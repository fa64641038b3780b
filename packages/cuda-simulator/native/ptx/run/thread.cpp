#include "thread.hpp"

#include <algorithm>

#include "base/multiprocessor.hpp"
#include "block.hpp"
#include "ptx/program/address.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

constexpr std::byte poison{0xCB};
constexpr std::size_t most_frames = 4096;
constexpr std::size_t most_local_bytes = 512 << 10;
constexpr std::size_t most_register_bytes = 64 << 20;

/// Frames start at an alignment that suits every type.
std::size_t aligned(std::size_t size) { return round_up(size, 16); }

std::byte* find_in(std::vector<std::byte>& bytes, std::uint64_t offset, std::size_t size,
                   const char* space) {
  if (size > bytes.size() || offset > bytes.size() - size) {
    throw Fault{CUDA_ERROR_ILLEGAL_ADDRESS, "accesses " + std::to_string(size) + " bytes at " +
                                                std::to_string(offset) + " of " + space +
                                                " memory, which has " +
                                                std::to_string(bytes.size()) + " bytes here"};
  }
  return bytes.data() + offset;
}

std::string text_of(const Dimensions& place) {
  return "(" + std::to_string(place.x) + ", " + std::to_string(place.y) + ", " +
         std::to_string(place.z) + ")";
}

}  // namespace

void Thread::start(Block& block, const Position& position) {
  block_ = &block;
  position_ = position;
  frames_.clear();
  register_stack_.clear();
  parameter_stack_.clear();
  local_stack_.clear();
  carry = false;
  waiting_at = nullptr;
  steps = 0;
  state = State::ready;
  enter(*block.launch().kernel->function, nullptr, nullptr);
  const std::vector<std::byte>& parameters = block.launch().parameters;
  std::copy(parameters.begin(), parameters.end(), parameter_stack_.begin());
}

void Thread::enter(const Function& function, const Instruction* back, const CallSite* site) {
  const Frame frame{&function,
                    back,
                    site,
                    register_stack_.size(),
                    aligned(parameter_stack_.size()),
                    aligned(local_stack_.size())};
  const std::size_t registers = frame.registers + function.frame.size();
  const std::size_t locals = frame.locals + function.local_bytes;
  if (frames_.size() >= most_frames || locals > most_local_bytes ||
      registers > most_register_bytes / sizeof(std::uint64_t)) {
    throw Fault{CUDA_ERROR_HARDWARE_STACK_ERROR, "calls too deeply"};
  }
  frames_.push_back(frame);
  register_stack_.insert(register_stack_.end(), function.frame.begin(), function.frame.end());
  parameter_stack_.resize(frame.parameters + function.parameter_bytes, poison);
  local_stack_.resize(locals, poison);
  registers_ = register_stack_.data() + frame.registers;
  code_ = next_ = function.code.data();
  fill();
}

void Thread::fill() {
  for (const Fill& fill : frames_.back().function->fills) {
    registers_[fill.slot] = value_of(fill.source) + static_cast<std::uint64_t>(fill.addend);
  }
}

std::uint64_t Thread::value_of(Fill::Source source) const {
  using Source = Fill::Source;
  const Launch& launch = block_->launch();
  const Dimensions& block = block_->index();
  const std::uint32_t lane_bit = std::uint32_t{1} << position_.lane();
  const std::uint32_t below = lane_bit - 1;
  switch (source) {
    case Source::tid_x:
      return position_.thread.x;
    case Source::tid_y:
      return position_.thread.y;
    case Source::tid_z:
      return position_.thread.z;
    case Source::ntid_x:
      return launch.block.x;
    case Source::ntid_y:
      return launch.block.y;
    case Source::ntid_z:
      return launch.block.z;
    case Source::ctaid_x:
      return block.x;
    case Source::ctaid_y:
      return block.y;
    case Source::ctaid_z:
      return block.z;
    case Source::nctaid_x:
      return launch.grid.x;
    case Source::nctaid_y:
      return launch.grid.y;
    case Source::nctaid_z:
      return launch.grid.z;
    case Source::laneid:
      return position_.lane();
    case Source::warpid:
      return position_.warp();
    case Source::nwarpid:
      return threads_per_multiprocessor / 32;
    case Source::lanemask_eq:
      return lane_bit;
    case Source::lanemask_le:
      return below | lane_bit;
    case Source::lanemask_lt:
      return below;
    case Source::lanemask_ge:
      return ~below;
    case Source::lanemask_gt:
      return ~(below | lane_bit);
    case Source::dynamic_shared:
      return launch.dynamic_shared;
    case Source::total_shared:
      return launch.kernel->shared_bytes + launch.dynamic_shared;
    case Source::gridid:
      return launch.number;
    case Source::smid:
      return block_->number() % multiprocessors;
    case Source::nsmid:
      return multiprocessors;
    case Source::local_base:
      return frames_.back().locals;
    case Source::parameter_base:
      return frames_.back().parameters;
  }
  return 0;
}

std::byte* Thread::variable_of_caller(const CallSite::Value& value) {
  const Frame& caller = frames_[frames_.size() - 2];
  return find_in(parameter_stack_, register_stack_[caller.registers + value.slot], value.size,
                 "parameter");
}

std::byte* Thread::formal(const Parameter& parameter, const CallSite::Value& value) {
  if (value.size != parameter.size) throw Fault{CUDA_ERROR_INVALID_PC};
  return find_in(parameter_stack_, frames_.back().parameters + parameter.offset, parameter.size,
                 "parameter");
}

void Thread::call(const Function& function, const CallSite& site) {
  if (function.builtin != nullptr) return function.builtin(*this, site);
  const bool fits = function.defined && !function.kernel &&
                    site.arguments.size() == function.parameters.size() &&
                    site.results.size() == function.results.size();
  if (!fits) throw Fault{CUDA_ERROR_INVALID_PC};
  enter(function, next_, &site);
  for (std::size_t index = 0; index < site.arguments.size(); ++index) {
    const CallSite::Value& value = site.arguments[index];
    std::memcpy(formal(function.parameters[index], value), variable_of_caller(value), value.size);
  }
}

void Thread::leave() {
  const Frame frame = frames_.back();
  if (frames_.size() == 1) return end();
  for (std::size_t index = 0; index < frame.site->results.size(); ++index) {
    const CallSite::Value& value = frame.site->results[index];
    std::memcpy(variable_of_caller(value), formal(frame.function->results[index], value),
                value.size);
  }
  frames_.pop_back();
  register_stack_.resize(frame.registers);
  parameter_stack_.resize(frame.parameters);
  local_stack_.resize(frame.locals);
  registers_ = register_stack_.data() + frames_.back().registers;
  code_ = frames_.back().function->code.data();
  next_ = frame.back;
}

void Thread::wait(const Instruction& instruction) {
  state = State::waiting;
  waiting_at = &instruction;
}

Fault Thread::located(Fault fault) const {
  if (!fault.where.empty()) return fault;
  fault.where = "thread " + text_of(position_.thread) + " of block " + text_of(block_->index());
  const Function& function = *frames_.back().function;
  const auto index = static_cast<std::size_t>(next_ - function.code.data()) - 1;
  if (index >= function.lines.size()) return fault;
  const Line& line = function.lines[index];
  fault.where += ", line " + std::to_string(line.number) + " of the PTX";
  const std::string& file = block_->launch().program->file_name(line.file);
  if (!file.empty()) fault.where += " (" + file + ":" + std::to_string(line.source_line) + ")";
  fault.where += ", " + line.opcode;
  if (!function.kernel) fault.where += " in function '" + function.name + "'";
  return fault;
}

std::uint64_t Thread::run(std::uint64_t most) {
  try {
    return run_steps(most);
  } catch (Fault& fault) {
    fault = located(std::move(fault));
    throw;
  }
}

std::uint64_t Thread::run_steps(std::uint64_t most) {
  std::uint64_t count = 0;
  while (state == State::ready && count < most) {
    const Instruction& instruction = *next_++;
    ++count;
    ++steps;
    if (instruction.guard != nowhere && predicate(instruction.guard) == instruction.guard_negated) {
      continue;
    }
    instruction.execute(*this, instruction);
  }
  return count;
}

std::byte* Thread::find(Space space, std::uint64_t address, std::size_t size) {
  if (address % size != 0) throw Fault{CUDA_ERROR_MISALIGNED_ADDRESS, {}, address, size};
  if (space == Space::generic) {
    space = Space::global;
    const std::uint64_t window = address & ~window_mask;
    if (window == shared_window) space = Space::shared;
    if (window == local_window) space = Space::local;
    if (window == parameter_window) space = Space::parameter;
    if (space != Space::global) address &= window_mask;
  }
  switch (space) {
    case Space::shared:
      return find_in(block_->shared(), address, size, "shared");
    case Space::local:
      return find_in(local_stack_, address, size, "local");
    case Space::parameter:
      return find_in(parameter_stack_, address, size, "parameter");
    default:
      break;
  }
  std::byte* bytes = block_->memory().find(address, size);
  if (bytes == nullptr) throw Fault{CUDA_ERROR_ILLEGAL_ADDRESS, {}, address, size};
  return bytes;
}

}  // namespace array_interface::cuda_simulator::ptx
