#include "work/loaded_kernel.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "driver/driver.hpp"
#include "driver/kernel_builder.hpp"
#include "driver/program.hpp"
#include "memory/process_memory.hpp"

namespace array_interface::cuda {

namespace {

/// Bytes of what the driver takes for each code of core. Local memory is no parameter.
constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 0};

/// A queue in the order of a module, which asks it nothing: only its points count.
class PastQueue final : public WorkQueue {
 public:
  bool IsSame(const WorkQueue& other) const noexcept override { return this == &other; }
  std::shared_ptr<Point> Record() override { return nullptr; }
  void Wait(const Point&) override {}
  void Synchronize() override {}
};

/// Tells it from kinds of memory.
constexpr int kModule = -1;
/// Of something that is there: what has no bytes would be kept for the next allocation.
constexpr std::size_t kBytes = 1;

}  // namespace

/// A module in its context. It goes back as memory does: when its last launch has ended, on the
/// thread where what is given back may wait for other work of the device.
class LoadedKernel::Module final : public Allocation {
 public:
  explicit Module(std::shared_ptr<Context> context)
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

/// Builds once. A job that is dropped gives up.
class LoadedKernel::Job {
 public:
  explicit Job(std::shared_ptr<LoadedKernel> kernel) : kernel_(std::move(kernel)) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() { kernel_->GiveUp(); }

  void Run() const { kernel_->Build(); }

 private:
  std::shared_ptr<LoadedKernel> kernel_;
};

LoadedKernel::LoadedKernel(std::shared_ptr<Context> context, Source source,
                           std::unique_ptr<Module> module)
    : context_(std::move(context)),
      source_(std::move(source)),
      module_(*module),
      holder_(Block::Of(ProcessReclaimer(), std::move(module)), true) {}

// Nobody waits here: the reclaimer looks at the points.
LoadedKernel::~LoadedKernel() {
  Order& order = holder_.block()->order();
  const std::lock_guard lock(order.mutex());
  for (const auto& launch : launches_) {
    order.After(std::make_shared<PastQueue>(), launch.point, Access::kRead);
  }
}

void LoadedKernel::NoteLaunch(const std::shared_ptr<WorkQueue>& queue,
                              std::shared_ptr<Point> point) {
  for (LastLaunch& launch : launches_) {
    if (launch.queue.lock() != queue) continue;
    launch.point = std::move(point);
    return;
  }
  const auto is_over = [](const LastLaunch& launch) { return launch.point->IsReached(); };
  launches_.erase(std::remove_if(launches_.begin(), launches_.end(), is_over), launches_.end());
  launches_.push_back({queue, std::move(point)});
}

std::shared_ptr<LoadedKernel> LoadedKernel::Ask(std::shared_ptr<Context> context, Source source) {
  auto module = std::make_unique<Module>(context);
  const std::shared_ptr<LoadedKernel> kernel(
      new LoadedKernel(std::move(context), std::move(source), std::move(module)));
  KernelBuilder::Instance().Post([job = std::make_shared<Job>(kernel)] { job->Run(); });
  return kernel;
}

void LoadedKernel::Build() noexcept {
  try {
    Load();
  } catch (...) {
    error_ = std::current_exception();
  }
  std::string().swap(source_.image);  // an assignment would keep the room
  has_ended_ = true;
}

void LoadedKernel::Load() {
  const ContextScope scope(*context_);
  module_.Load(source_.image.c_str());
  function_ = module_.program().Kernel(source_.function.c_str());
  CheckParameters();
  limits_ = FindLimits();
}

// Beyond them a launch is refused with no reason given, or ends the context.
LoadedKernel::Limits LoadedKernel::FindLimits() const {
  const auto of_device = [this](DeviceAttribute attribute) {
    int value = 0;
    Cuda().cuDeviceGetAttribute(&value, attribute, context_->device());
    return value;
  };
  const auto of_function = [this](FunctionAttribute attribute) {
    int value = 0;
    Cuda().cuFuncGetAttribute(&value, attribute, function_);
    return value;
  };
  return {of_function(kMaximumThreads), of_device(kDeviceMaximumBlockX),
          of_device(kDeviceMaximumBlockY), of_device(kDeviceMaximumBlockZ),
          of_device(kDeviceMaximumShared) - of_function(kStaticShared)};
}

bool LoadedKernel::HasParameter(std::size_t index, std::size_t& size) const {
  std::size_t offset = 0;
  const auto& info = Cuda().cuFuncGetParamInfo;
  const Result result = info.Try(function_, index, &offset, &size);
  if (result != kSuccess && result != kInvalidValue) throw DriverError(result, info.name);
  return result == kSuccess;
}

// A driver reads as many bytes as the code says, whatever was given.
void LoadedKernel::CheckParameters() const {
  if (!Cuda().cuFuncGetParamInfo.IsBound()) return;
  std::size_t index = 0;
  for (const std::uint8_t type : source_.types) {
    const std::size_t expected = kSizes[type];
    if (expected == 0) continue;
    std::size_t size = 0;
    const bool has_one = HasParameter(index, size);
    if (!has_one || size != expected) {
      throw std::runtime_error("expected a function whose parameter " + std::to_string(index) +
                               " has " + std::to_string(expected) + " bytes, got " +
                               (has_one ? "one of " + std::to_string(size) : "fewer parameters") +
                               "; define the parameters as the code has them");
    }
    ++index;
  }
  std::size_t size = 0;
  if (!HasParameter(index, size)) return;
  throw std::runtime_error("expected a function of " + std::to_string(index) +
                           " parameters, got one of more; define the parameters as the code has "
                           "them");
}

void LoadedKernel::GiveUp() noexcept {
  if (has_ended_) return;
  error_ = std::make_exception_ptr(
      std::runtime_error("expected to build it, got the end of the process or its last thread"));
  has_ended_ = true;
}

void LoadedKernel::NeedShared(std::uint32_t bytes) {
  if (bytes <= shared_) return;
  Cuda().cuFuncSetAttribute(function_, kMaximumDynamicShared, static_cast<int>(bytes));
  shared_ = bytes;
}

}  // namespace array_interface::cuda
