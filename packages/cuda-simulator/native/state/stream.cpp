#include "stream.hpp"

#include "base/failure.hpp"
#include "schedule.hpp"

namespace array_interface::cuda_simulator {
namespace {

thread_local bool zero_is_per_thread = false;

/// Returns a number for the calling thread that no other thread ever gets.
std::uint64_t thread_number() {
  static std::atomic<std::uint64_t> last{0};
  thread_local std::uint64_t number = 0;
  if (number == 0) number = ++last;
  return number;
}

}  // namespace

std::uint64_t new_stream_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::shared_ptr<Stream> find_stream(CUstream handle, Context& current) {
  auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == 0) number = zero_is_per_thread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
  if (number == CU_STREAM_LEGACY) return schedule().legacy_stream(current);
  if (number == CU_STREAM_PER_THREAD) return schedule().thread_stream(current, thread_number());
  return streams().get(handle);
}

PerThreadDefault::PerThreadDefault() : before_(zero_is_per_thread) { zero_is_per_thread = true; }

PerThreadDefault::~PerThreadDefault() { zero_is_per_thread = before_; }

}  // namespace array_interface::cuda_simulator
