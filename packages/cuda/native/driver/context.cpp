#include "driver/context.hpp"

#include <string>

#include "driver/driver.hpp"
#include "threads/background_thread.hpp"

namespace array_interface::cuda {

namespace {

using Primaries = std::map<int, std::shared_ptr<Context>>;

std::mutex primaries_mutex;

/// Never destroyed, since static objects may outlive the driver.
Primaries& PrimaryContexts() {
  static auto& contexts = *new Primaries();
  return contexts;
}

/// What scopes have left set on a background thread.
struct Left {
  ContextHandle current = nullptr;  ///< a primary context, which is never destroyed
  bool is_relaxed = false;
};
thread_local Left left;

/// The context of the innermost scope on this thread. Inside a scope, only this library makes
/// driver calls on the thread.
thread_local ContextHandle innermost = nullptr;

/// Returns the driver's id of a primary context's current incarnation; 0 if it is inactive. Drivers
/// before 12.0 have no ids and only report whether it is active. Throws DriverError.
std::uint64_t LifeOf(ContextHandle context, DeviceNumber device) {
  const auto& number = Cuda().cuCtxGetId;
  if (!number.IsBound()) {
    unsigned flags = 0;
    int is_active = 0;
    Cuda().cuDevicePrimaryCtxGetState(device, &flags, &is_active);
    return is_active != 0 ? 1 : 0;
  }
  std::uint64_t life = 0;
  const Result result = number.Try(context, &life);
  if (result == kContextIsDestroyed || result == kInvalidContext) return 0;
  if (result != kSuccess) throw DriverError(result, number.name);
  return life;
}

/// Restores the context that was current before a push. If the driver refuses to pop the pushed
/// context, setting no context has the same effect.
// NOLINTNEXTLINE(bugprone-exception-escape): there is a driver, so Cuda() does not throw
void Restore(ContextHandle before) noexcept {
  const EntryPoints& api = Cuda();
  ContextHandle top = nullptr;
  if (!api.cuCtxPopCurrent.IsBound() || api.cuCtxPopCurrent.Try(&top) == kSuccess) return;
  if (api.cuCtxGetCurrent.Try(&top) == kSuccess && top == before) return;
  if (api.cuCtxSetCurrent.IsBound()) api.cuCtxSetCurrent.Try(nullptr);
}

}  // namespace

std::shared_ptr<Context> Context::Primary(int device) {
  const std::lock_guard lock(primaries_mutex);
  auto& context = PrimaryContexts()[device];
  if (context == nullptr) {
    DeviceNumber number = 0;
    ContextHandle handle = nullptr;
    Cuda().cuDeviceGet(&number, device);
    Cuda().cuDevicePrimaryCtxRetain(&handle, number);
    context.reset(new Context(handle, device, true, LifeOf(handle, number)));
  }
  context->AssertAlive();
  return context;
}

void Context::AssertAlive() const {
  if (!is_primary_) return;
  if (!is_gone_ && LifeOf(handle_, device_) != life_) is_gone_ = true;
  if (!is_gone_) return;
  throw DriverError(kContextIsDestroyed, Cuda().cuCtxGetId.name,
                    "the primary context of device " + std::to_string(device_) + " was reset");
}

std::shared_ptr<Context> Context::Of(ContextHandle handle) {
  DeviceNumber number = 0;
  {
    const ContextScope scope(handle);
    Cuda().cuCtxGetDevice(&number);
  }
  auto primary = Primary(number);
  if (primary->handle() == handle) return primary;
  return std::shared_ptr<Context>(new Context(handle, number, false, 0));
}

std::int64_t Context::MaximumPitch() {
  if (maximum_pitch_ == 0) {
    int pitch = 0;
    Cuda().cuDeviceGetAttribute(&pitch, kDeviceMaximumPitch, device_);
    maximum_pitch_ = pitch;
  }
  return maximum_pitch_;
}

bool Context::Reach(int other_device) {
  if (other_device == device_) return true;
  const auto other = Primary(other_device);
  const std::lock_guard lock(mutex_);
  const auto known = reached_.find(other_device);
  if (known != reached_.end()) return known->second;
  int can = 0;
  Cuda().cuDeviceCanAccessPeer(&can, device_, other_device);
  if (can == 0) return reached_[other_device] = false;
  const ContextScope scope(*this);
  const Result result = Cuda().cuCtxEnablePeerAccess.Try(other->handle(), 0);
  // A refusal, for example because of too many peers, is not an error: copies take another path.
  if (result != kSuccess && result != kPeerAccessAlreadyEnabled) return false;
  return reached_[other_device] = true;
}

ContextScope::ContextScope(const Context& context)
    : outer_(innermost),
      is_nested_(innermost == context.handle()),
      stays_(BackgroundThread::IsThis() && context.is_primary() && innermost == nullptr) {
  if (is_nested_) return;
  context.AssertAlive();
  if (stays_) {
    Stay(context.handle());
  } else {
    Enter(context.handle());
  }
  innermost = context.handle();
}

ContextScope::ContextScope(ContextHandle context)
    : outer_(innermost), is_nested_(innermost == context) {
  if (is_nested_) return;
  Enter(context);
  innermost = context;
}

// NOLINTNEXTLINE(bugprone-exception-escape): there is a driver, so Cuda() does not throw
ContextScope::~ContextScope() {
  if (is_nested_) return;
  innermost = outer_;
  if (stays_) return;
  ExchangeCaptureMode();
  if (pushed_) Restore(before_);
}

void ContextScope::Enter(ContextHandle context) {
  Cuda().cuCtxGetCurrent(&before_);
  pushed_ = before_ != context;
  if (pushed_) Cuda().cuCtxPushCurrent(context);
  ExchangeCaptureMode();
}

/// Makes no driver call if the thread's last scope had the same context.
void ContextScope::Stay(ContextHandle context) {
  if (!left.is_relaxed) ExchangeCaptureMode();
  left.is_relaxed = true;
  if (left.current == context) return;
  ContextHandle popped = nullptr;
  if (left.current != nullptr) Cuda().cuCtxPopCurrent(&popped);
  left.current = nullptr;
  Cuda().cuCtxPushCurrent(context);
  left.current = context;
}

ContextForExternalWork::ContextForExternalWork(const Context& context) : outer_(innermost) {
  context.AssertAlive();
  Cuda().cuCtxGetCurrent(&before_);
  Cuda().cuCtxPushCurrent(context.handle());
  innermost = nullptr;
}

// NOLINTNEXTLINE(bugprone-exception-escape): there is a driver, so Cuda() does not throw
ContextForExternalWork::~ContextForExternalWork() {
  innermost = outer_;
  Restore(before_);
}

/// Swaps the thread's capture mode with the stored one.
// NOLINTNEXTLINE(bugprone-exception-escape): there is a driver, so Cuda() does not throw
void ContextScope::ExchangeCaptureMode() noexcept {
  const auto& exchange = Cuda().cuThreadExchangeStreamCaptureMode;
  if (exchange.IsBound()) exchange.Try(&capture_mode_);
}

}  // namespace array_interface::cuda
