#include "builtin.hpp"

#include "print.hpp"
#include "thread.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

struct Entry {
  const char* name;
  std::size_t arguments;
  std::size_t results;
  Function::Builtin builtin;
};

std::uint64_t argument(Thread& thread, const CallSite& site, std::size_t index) {
  const CallSite::Value& value = site.arguments[index];
  std::uint64_t bits = 0;
  const auto address = thread.get<std::uint64_t>(value.slot);
  std::memcpy(&bits, thread.find(Space::parameter, address, value.size), value.size);
  return bits;
}

void set_result(Thread& thread, const CallSite& site, std::int32_t value) {
  const CallSite::Value& result = site.results[0];
  const auto address = thread.get<std::uint64_t>(result.slot);
  std::memcpy(thread.find(Space::parameter, address, sizeof value), &value, sizeof value);
}

void print(Thread& thread, const CallSite& site) {
  set_result(thread, site,
             print_formatted(thread, argument(thread, site, 0), argument(thread, site, 1)));
}

/// (message, file, line, function, character size): all are strings but the line.
void fail_assertion(Thread& thread, const CallSite& site) {
  print_assertion(thread, argument(thread, site, 0), argument(thread, site, 1),
                  static_cast<std::uint32_t>(argument(thread, site, 2)), argument(thread, site, 3));
  throw Fault{CUDA_ERROR_ASSERT};
}

constexpr Entry entries[] = {
    {"vprintf", 2, 1, print},
    {"__assertfail", 5, 0, fail_assertion},
};

}  // namespace

Function::Builtin find_builtin(const Function& function) {
  for (const Entry& entry : entries) {
    if (function.name != entry.name) continue;
    if (function.parameters.size() != entry.arguments || function.results.size() != entry.results) {
      continue;
    }
    for (const Parameter& parameter : function.parameters) {
      if (parameter.size != 4 && parameter.size != 8) return nullptr;
    }
    return entry.builtin;
  }
  return nullptr;
}

}  // namespace array_interface::cuda_simulator::ptx
