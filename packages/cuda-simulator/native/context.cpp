#include "context.hpp"

#include "allocation.hpp"
#include "call.hpp"
#include "event.hpp"
#include "ipc_memory.hpp"
#include "leaks.hpp"
#include "module.hpp"
#include "schedule.hpp"
#include "settings.hpp"
#include "stream.hpp"

namespace array_interface::cuda_simulator {
namespace {

using Contexts = std::vector<std::unique_ptr<Context>>;

Contexts& contexts() {
  static Contexts& contexts = *[] {  // outlives every thread
    auto* all = new Contexts;
    for (int device = 0; device < settings().devices; ++device) {
      all->push_back(std::make_unique<Context>(device));
    }
    return all;
  }();
  return contexts;
}

}  // namespace

Context::Context(CUdevice ordinal) : device(ordinal) {}

Context& context_of(CUdevice device) {
  require(device >= 0 && device < settings().devices, CUDA_ERROR_INVALID_DEVICE);
  return *contexts()[static_cast<std::size_t>(device)];
}

Context* find_context(CUcontext handle) {
  for (const auto& context : contexts()) {
    if (context->handle() == handle) return context.get();
  }
  return nullptr;
}

void destroy_context(Context& context) {
  schedule().wait_all(context);
  note_lost_with(context);
  forget_opened(context);
  for (const AllocationPtr& allocation : allocations().of(&context)) {
    allocations().remove(allocation->start(), {allocation->kind});
  }
  streams().remove_if([&](const Stream& stream) { return stream.context == &context; });
  events().remove_if([&](const Event& event) { return event.context == &context; });
  modules().remove_if([&](const Module& module) { return module.context == &context; });
  functions().remove_if([&](const Function& function) { return function.context == &context; });
  schedule().forget(context);
  context.peers.clear();
  context.active = false;
  context.failure = CUDA_SUCCESS;
}

}  // namespace array_interface::cuda_simulator
