#include "fault.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>

namespace array_interface::sycl::interposer {

namespace {

struct Planned {
  std::string name;
  unsigned long first = 1;
  unsigned long last = 1;
  Failure failure = Failure::kRefusal;
  unsigned long calls = 0;
};

/// Not protected by World's mutex, since calls fail before they lock it.
struct Plans {
  Plans() {
    const char* text = getenv("ARRAY_INTERFACE_INTERPOSER_FAIL");
    if (text != nullptr && !Add(text)) throw std::runtime_error("ARRAY_INTERFACE_INTERPOSER_FAIL");
  }

  bool Add(const std::string& text);

  std::mutex mutex;
  std::vector<Planned> planned;
  std::map<std::string, unsigned long> failed;
  std::atomic<bool> any{false};  // read without the mutex
};

Plans& All() {
  static auto& plans = *new Plans();  // outlives every thread
  return plans;
}

thread_local bool is_spared = false;

/// Set by an exit handler. It runs after the handlers of all libraries that were loaded later,
/// including the addon.
std::atomic<bool> has_ended{false};
const int registered = std::atexit([] { has_ended = true; });

bool ReadWhich(const std::string& text, Planned& planned) {
  if (text == "*") {
    planned.last = std::numeric_limits<unsigned long>::max();
    return true;
  }
  char* end = nullptr;
  planned.first = planned.last = std::strtoul(text.c_str(), &end, 10);
  if (*end == '-') planned.last = std::strtoul(end + 1, &end, 10);
  return *end == '\0' && planned.first > 0 && planned.first <= planned.last;
}

bool Read(const std::string& text, Planned& planned) {
  std::istringstream words(text);
  std::string which;
  std::string how;
  if (!std::getline(words, planned.name, ':') || !std::getline(words, which, ':')) return false;
  if (std::getline(words, how)) {
    if (how != "throw") return false;
    planned.failure = Failure::kException;
  }
  return ReadWhich(which, planned);
}

bool Plans::Add(const std::string& text) {
  std::vector<Planned> added;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    if (!Read(part, added.emplace_back())) return false;
  }
  const std::lock_guard lock(mutex);
  planned.insert(planned.end(), std::make_move_iterator(added.begin()),
                 std::make_move_iterator(added.end()));
  any = !planned.empty();
  return true;
}

}  // namespace

bool PlanFailures(const char* plan) { return All().Add(plan); }

void ForgetFailures() {
  const std::lock_guard lock(All().mutex);
  All().planned.clear();
  All().any = false;
}

void SpareThisThread(bool spares) { is_spared = spares; }

bool IsThisThreadSpared() { return is_spared; }

unsigned long FailedCalls(const std::string& name) {
  const std::lock_guard lock(All().mutex);
  const auto found = All().failed.find(name);
  return found == All().failed.end() ? 0 : found->second;
}

Failure NextFailure(const char* name) {
  if (has_ended && !is_spared) {
    std::fprintf(stderr, "interposer: %s was called after the end of the process\n", name);
  }
  Plans& plans = All();
  if (!plans.any || is_spared) return Failure::kNone;
  auto failure = Failure::kNone;
  const std::lock_guard lock(plans.mutex);
  for (Planned& planned : plans.planned) {
    if (planned.name != name) continue;
    const unsigned long call = ++planned.calls;
    if (call >= planned.first && call <= planned.last) failure = planned.failure;
  }
  if (failure != Failure::kNone) ++plans.failed[name];
  return failure;
}

}  // namespace array_interface::sycl::interposer
