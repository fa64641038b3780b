#include "context.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/settings.hpp"
#include "memory/allocation_table.hpp"
#include "schedule.hpp"
#include "stream.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// The primary contexts, by device, followed by those that the program created. None is ever
/// removed, so that a destroyed one is recognised.
struct Contexts {
  std::mutex mutex;
  std::vector<std::unique_ptr<Context>> all;

  // Cold, so that contexts() stays short.
  [[gnu::cold]] Contexts() {
    for (int device = 0; device < settings().devices; ++device) {
      all.push_back(std::make_unique<Context>(device, true));
    }
  }
};

Contexts& contexts() { return immortal<Contexts>(); }

std::atomic<std::uint64_t> last_id{0};

// Plain data, so that it is usable while a thread or the process is ending.
constexpr int stack_size = 64;
thread_local Context* stack[stack_size];
thread_local int depth = 0;

/// Whether work of a context can access memory. All contexts can access host and managed memory. A
/// device's memory is accessible to its own contexts and to peers that enabled access.
bool reaches(Context& context, const Allocation& allocation) {
  if (allocation.kind != Allocation::Kind::device) return true;
  if (allocation.device == context.device) return true;
  std::lock_guard lock(context.mutex);
  return std::any_of(context.peers.begin(), context.peers.end(),
                     [&](const Context* peer) { return peer->device == allocation.device; });
}

}  // namespace

Context::Context(CUdevice ordinal, bool is_primary) : device(ordinal), primary(is_primary) {}

void Context::activate() {
  {
    std::lock_guard lock(failure_mutex_);
    failure_ = {CUDA_SUCCESS};
    has_failed_ = false;
  }
  id = ++last_id;
  active = true;
}

void Context::fail(const Failure& failure) {
  std::lock_guard lock(failure_mutex_);
  if (has_failed_) return;
  failure_ = failure;
  has_failed_ = true;
}

void Context::throw_failure() {
  std::lock_guard lock(failure_mutex_);
  if (has_failed_) throw Failure{failure_};
}

Context& context_of(CUdevice device) {
  require(device >= 0 && device < settings().devices, CUDA_ERROR_INVALID_DEVICE);
  std::lock_guard lock(contexts().mutex);
  return *contexts().all[static_cast<std::size_t>(device)];
}

Context& make_context(CUdevice device) {
  context_of(device);
  auto made = std::make_unique<Context>(device, false);
  made->activate();
  std::lock_guard lock(contexts().mutex);
  return *contexts().all.emplace_back(std::move(made));
}

Context* find_context(CUcontext handle) {
  std::lock_guard lock(contexts().mutex);
  for (const auto& context : contexts().all) {
    if (context->handle() == handle) return context.get();
  }
  return nullptr;
}

std::vector<Context*> active_contexts() {
  std::vector<Context*> active;
  std::lock_guard lock(contexts().mutex);
  for (const auto& context : contexts().all) {
    if (context->active) active.push_back(context.get());
  }
  return active;
}

Context* current_context() { return depth == 0 ? nullptr : stack[depth - 1]; }

void set_context(Context& context) {
  if (depth == 0) depth = 1;
  stack[depth - 1] = &context;
}

void push_context(Context& context) {
  require(depth < stack_size, CUDA_ERROR_OUT_OF_MEMORY);
  stack[depth++] = &context;
}

Context* pop_context() { return depth == 0 ? nullptr : stack[--depth]; }

void wait_for_devices(const Allocation& allocation) {
  for (Context* context : active_contexts()) {
    if (reaches(*context, allocation)) schedule().wait_all(*context);
  }
}

}  // namespace array_interface::cuda_simulator
