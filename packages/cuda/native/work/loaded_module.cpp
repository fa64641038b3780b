#include "work/loaded_module.hpp"

#include <algorithm>
#include <utility>

#include "driver/driver.hpp"
#include "driver/program.hpp"
#include "library/module_table.hpp"
#include "memory/process_memory.hpp"

namespace array_interface::cuda {

namespace {

/// A queue in a module's dependency tracker. It enqueues nothing; only its events count.
class PastQueue final : public WorkQueue {
 public:
  bool IsSame(const WorkQueue& other) const noexcept override { return this == &other; }
  std::shared_ptr<Event> Record() override { return nullptr; }
  void Wait(const Event&) override {}
  void Synchronize() override {}
};

/// Distinguishes modules from the kinds of memory.
constexpr int kModule = -1;
/// Not zero, since allocations without bytes would be cached for the next allocation.
constexpr std::size_t kBytes = 1;

/// Never destroyed.
ModuleTable<Context, LoadedModule>& Modules() {
  static auto* const modules = new ModuleTable<Context, LoadedModule>();
  return *modules;
}

}  // namespace

/// The driver's module. It is released as memory is: once its last launch has ended, on the thread
/// on which releases may wait for other work of the device.
class LoadedModule::Code final : public Allocation {
 public:
  explicit Code(std::shared_ptr<Context> context)
      : Allocation(context.get(), kModule, kBytes), context_(std::move(context)) {}

  void Load(const char* image) { program_ = std::make_unique<Program>(image); }
  const Program& program() const { return *program_; }

  void Release() noexcept override {
    try {
      const ContextScope scope(*context_);
      program_ = nullptr;
    } catch (...) {
      // The context is broken or gone, and its modules with it.
    }
  }

 private:
  std::shared_ptr<Context> context_;
  std::unique_ptr<Program> program_;
};

LoadedModule::LoadedModule(std::shared_ptr<Context> context, std::string image,
                           std::unique_ptr<Code> code)
    : context_(std::move(context)),
      image_(std::move(image)),
      code_(*code),
      ref_(Block::Of(ProcessAllocator(), std::move(code)), true) {}

std::size_t LoadedModule::count() { return Modules().count(); }

// Does not block: the caching allocator polls the events.
LoadedModule::~LoadedModule() {
  Modules().Remove(*this);
  DependencyTracker& order = ref_.block()->tracker();
  const std::lock_guard lock(order.mutex());
  for (const auto& launch : launches_) {
    order.After(std::make_shared<PastQueue>(), launch.event, Access::kRead);
  }
}

std::shared_ptr<LoadedModule> LoadedModule::Of(std::shared_ptr<Context> context,
                                               std::string image) {
  if (auto known = Modules().Find(*context, image)) return known;
  auto code = std::make_unique<Code>(context);
  const std::shared_ptr<LoadedModule> made(
      new LoadedModule(std::move(context), std::move(image), std::move(code)));
  return Modules().Add(made);
}

void LoadedModule::Load() {
  const std::lock_guard lock(loading_);
  if (is_loaded_) return;
  if (refusal_ != nullptr) std::rethrow_exception(refusal_);
  try {
    const ContextScope scope(*context_);
    code_.Load(image_.c_str());
    is_loaded_ = true;
  } catch (...) {
    refusal_ = std::current_exception();
    Modules().Remove(*this);  // current sharers get the error; the next caller retries
    throw;
  }
}

FunctionHandle LoadedModule::Function(const std::string& name) const {
  return code_.program().Kernel(name.c_str());
}

void LoadedModule::NoteLaunch(const std::shared_ptr<WorkQueue>& queue,
                              std::shared_ptr<Event> event) {
  const std::lock_guard lock(mutex_);
  for (LastLaunch& launch : launches_) {
    if (launch.queue.lock() != queue) continue;
    launch.event = std::move(event);
    return;
  }
  const auto is_over = [](const LastLaunch& launch) { return launch.event->IsComplete(); };
  launches_.erase(std::remove_if(launches_.begin(), launches_.end(), is_over), launches_.end());
  launches_.push_back({queue, std::move(event)});
}

void LoadedModule::NeedShared(FunctionHandle function, std::uint32_t bytes) {
  const std::lock_guard lock(mutex_);
  std::uint32_t& allowed = shared_[function];
  if (bytes <= allowed) return;
  Cuda().cuFuncSetAttribute(function, kMaximumDynamicShared, static_cast<int>(bytes));
  allowed = bytes;
}

}  // namespace array_interface::cuda
