#include "work/waitable_event.hpp"

#include <string>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

// Makes a query that is allowed while any stream is captured. As every call in a context does, it
// reports errors of work that failed there.
CallResult Ask(const Context& context) noexcept {
  const auto& ask = Cuda().cuStreamIsCapturing;
  try {
    const ContextScope scope(context);
    CaptureStatus status = kCaptureNone;
    const Result result = ask.Try(reinterpret_cast<StreamHandle>(kLegacyStream), &status);
    return {result == kCaptureImplicit ? kSuccess : result, ask.name, &context};
  } catch (const DriverError& error) {
    return {error.result(), error.call(), &context};
  }
}

}  // namespace

void CallResult::AssertSuccess() const {
  if (result == kSuccess) return;
  if (other == nullptr) throw DriverError(result, call);
  throw DriverError(
      result, call,
      "this follows work on device " + std::to_string(other->device()) + ", which may have failed");
}

CallResult Ask(const Dependencies& contexts) noexcept {
  for (const Context* context : contexts) {
    const CallResult outcome = Ask(*context);
    if (outcome.result != kSuccess) return outcome;
  }
  return {};
}

}  // namespace array_interface::cuda
