#include "kernel_run.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "allocation.hpp"

namespace array_interface {

namespace {

/// The alignment of the largest vector of OpenCL.
constexpr std::size_t kMostAligned = 128;

}  // namespace

KernelRun::KernelRun(KernelCall call, std::size_t threads) : function_(call.function) {
  const auto* const items = call.range.items;
  const auto* const slowest = std::find_if(items, items + 2, [](auto count) { return count > 1; });
  const std::size_t axis = static_cast<std::size_t>(slowest - items);
  const std::uint64_t count = std::min<std::uint64_t>(threads, *slowest);
  parts_.reserve(count);
  for (std::uint64_t index = 0; index < count; ++index) {
    Part part = MakePart(call);
    part.range.begin[axis] = *slowest * index / count;
    part.range.end[axis] = *slowest * (index + 1) / count;
    parts_.push_back(std::move(part));
  }
  threads_.reserve(count);
}

KernelRun::Part KernelRun::MakePart(const KernelCall& call) {
  Part part{call.range, call.values, {}, {}};
  for (const KernelParameter& parameter : call.parameters) {
    // a struct without bytes has no slot
    std::uint64_t* const value = part.values.data() + parameter.place;
    void* argument = value;
    if (parameter.kind == KernelParameter::Kind::kLocal) {
      *value = reinterpret_cast<std::uintptr_t>(Allocate(part, *value));
    } else if (parameter.kind == KernelParameter::Kind::kStruct) {
      // the slots have the alignment of 8 bytes, and a vector in a struct may need 128
      argument = Allocate(part, parameter.bytes);
      if (parameter.bytes > 0) std::memcpy(argument, value, parameter.bytes);
    }
    part.arguments.push_back(argument);
  }
  return part;
}

void* KernelRun::Allocate(Part& part, std::size_t bytes) {
  constexpr std::size_t kUnit = std::max<std::size_t>(Allocation::kAlignment, kMostAligned);
  if (bytes > std::numeric_limits<std::size_t>::max() - kUnit) throw std::bad_alloc();
  const std::size_t units = std::max<std::size_t>(1, (bytes + kUnit - 1) / kUnit);
  part.memory.emplace_back(std::aligned_alloc(kUnit, units * kUnit));
  if (part.memory.back() == nullptr) throw std::bad_alloc();
  return part.memory.back().get();
}

void KernelRun::Start() {
  const std::lock_guard lock(mutex_);
  left_.store(parts_.size(), std::memory_order_release);
  try {
    while (threads_.size() < parts_.size()) threads_.emplace_back([this] { Work(); });
  } catch (...) {
    if (!threads_.empty()) return;  // the threads that did start do all parts
    left_.store(0, std::memory_order_release);
    throw;
  }
}

void KernelRun::Work() {
  for (std::size_t index = next_++; index < parts_.size(); index = next_++) {
    Part& part = parts_[index];
    function_(&part.range, part.arguments.data());
    left_.fetch_sub(1, std::memory_order_acq_rel);
  }
}

void KernelRun::Join() {
  const std::lock_guard lock(mutex_);
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace array_interface
