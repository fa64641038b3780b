// The functions by which tests control the interposer. Strings are JSON; Interposer_DeleteText
// frees them.

#include <cstdlib>
#include <cstring>
#include <string>

#include "test/interposer/world/fault.hpp"
#include "test/interposer/world/world.hpp"

#define ARRAY_INTERFACE_CONTROL extern "C" [[gnu::visibility("default")]]

namespace array_interface::sycl::interposer {

namespace {

const char* Copied(const std::string& text) { return strdup(text.c_str()); }

bool IsDevice(int device) { return device == kFirst || device == kSecond; }

}  // namespace

/// Returns how many references of each kind, and blocks and bytes of each type of memory, are live.
ARRAY_INTERFACE_CONTROL const char* Interposer_Live() {
  Visit visit;
  return Copied("{" + visit->references.Counts() + "," + visit->memory.Counts() + "}");
}

/// Returns how many modules were passed to the compiler.
ARRAY_INTERFACE_CONTROL std::uint64_t Interposer_Builds() { return Visit()->builds; }

/// Returns the log entries after the entry with that number.
ARRAY_INTERFACE_CONTROL const char* Interposer_Log(std::uint64_t after) {
  return Copied(Visit()->journal.EntriesAfter(after));
}

ARRAY_INTERFACE_CONTROL const char* Interposer_Faults() {
  return Copied(Visit()->journal.Faults());
}

/// Clears the log and the faults.
ARRAY_INTERFACE_CONTROL void Interposer_Forget() { Visit()->journal.Forget(); }

ARRAY_INTERFACE_CONTROL void Interposer_DeleteText(char* text) { free(text); }

/// Makes `count` allocations fail, beginning with the nth from now, counted from 1. A count of 0 is
/// one. An nth of 0 makes none fail.
ARRAY_INTERFACE_CONTROL void Interposer_Refuse(std::uint64_t nth, std::uint64_t count) {
  Visit()->memory.Refuse(nth, count == 0 ? 1 : count);
}

/// Makes the next allocation throw a std::runtime_error with that text.
ARRAY_INTERFACE_CONTROL void Interposer_Throw(const char* text) { Visit()->settings.thrown = text; }

/// Plans failures of calls, in addition to those already planned; "" removes all plans. fault.hpp
/// describes the format. Returns 1 for a plan that it cannot parse.
ARRAY_INTERFACE_CONTROL int Interposer_Fail(const char* plan) {
  if (*plan != '\0') return PlanFailures(plan) ? 0 : 1;
  ForgetFailures();
  return 0;
}

/// Returns how often a function, named without DPCTL, failed as planned.
ARRAY_INTERFACE_CONTROL std::uint64_t Interposer_Failed(const char* name) {
  return FailedCalls(name);
}

/// Excludes the calling thread's calls from all plans; with 0, includes them again.
ARRAY_INTERFACE_CONTROL void Interposer_Spare(int spares) { SpareThisThread(spares != 0); }

/// The bytes of device and shared memory that each device has; 0 for no limit.
ARRAY_INTERFACE_CONTROL void Interposer_Limit(std::uint64_t bytes) {
  Visit()->settings.limit = bytes;
}

/// Commands that are submitted to a queue from now on do not start until it is released.
ARRAY_INTERFACE_CONTROL void Interposer_Hold(void* queue) {
  Visit visit;
  visit->schedule.Hold(*visit->QueueOf(queue));
}

ARRAY_INTERFACE_CONTROL void Interposer_Release(void* queue) {
  Visit visit;
  visit->schedule.Release(*visit->QueueOf(queue));
}

/// The same for every queue of a device, 0 or 1.
ARRAY_INTERFACE_CONTROL void Interposer_HoldDevice(int device) {
  if (IsDevice(device)) Visit()->schedule.Hold(static_cast<Mark>(device));
}

ARRAY_INTERFACE_CONTROL void Interposer_ReleaseDevice(int device) {
  if (IsDevice(device)) Visit()->schedule.Release(static_cast<Mark>(device));
}

/// Sets the schedule from now on: `eager`, `lazy`, `random`, or `random:` and a seed.
ARRAY_INTERFACE_CONTROL void Interposer_SetSchedule(const char* order) {
  Visit visit;
  visit->settings.SetOrder(order);
  visit->schedule.Changed();
}

/// Whether memory is freed only once all submitted commands have ended.
ARRAY_INTERFACE_CONTROL void Interposer_SetBlockingFree(int blocking) {
  Visit()->settings.blocking_free = blocking != 0;
}

/// Whether freed memory is kept, so that each later use of it is a fault.
ARRAY_INTERFACE_CONTROL void Interposer_SetKeepsFreed(int keeps) {
  Visit()->settings.keeps_freed = keeps != 0;
}

}  // namespace array_interface::sycl::interposer
