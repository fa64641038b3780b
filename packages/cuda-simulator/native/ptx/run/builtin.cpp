#include "builtin.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "block.hpp"
#include "thread.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

constexpr std::size_t longest_text = 1 << 16;

std::string read_text(Thread& thread, std::uint64_t address) {
  std::string text;
  while (text.size() < longest_text) {
    const char c = static_cast<char>(*thread.find(Space::generic, address++, 1));
    if (c == '\0') break;
    text += c;
  }
  return text;
}

/// Reads the arguments one after another.
class Arguments {
 public:
  Arguments(Thread& thread, std::uint64_t address) : thread_(thread), address_(address) {}

  template <class T>
  T next() {
    address_ = (address_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, thread_.find(Space::generic, address_, sizeof(T)), sizeof(T));
    address_ += sizeof(T);
    ++count_;
    return value;
  }

  std::int32_t count() const { return count_; }

 private:
  Thread& thread_;
  std::uint64_t address_;
  std::int32_t count_ = 0;
};

template <class T>
std::string formatted(const std::string& conversion, T value) {
  char text[512];
  const int length = std::snprintf(text, sizeof text, conversion.c_str(), value);
  return length < 0 ? std::string()
                    : std::string(text, std::min<std::size_t>(static_cast<std::size_t>(length),
                                                              sizeof text - 1));
}

/// One conversion: "%", flags, width and precision, then size and letter. It builds its own format
/// from these, so that nothing of the program's text reaches printf.
class Conversion {
 public:
  /// `place` is after the '%' at first, and after the conversion in the end.
  Conversion(const std::string& format, std::size_t& place) {
    while (place < format.size() && std::strchr("-+ #0", format[place]) != nullptr)
      flags_ += format[place++];
    flags_ = flags_.substr(0, 5);
    read_number(format, place);
    if (place < format.size() && format[place] == '.') {
      flags_ += format[place++];
      read_number(format, place);
    }
    for (; place < format.size() && std::strchr("hlLqjzt", format[place]) != nullptr; ++place) {
      is_long_ = is_long_ || format[place] != 'h';
    }
    if (place < format.size()) letter_ = format[place++];
  }

  std::string text(Thread& thread, Arguments& arguments) const {
    const std::string start = "%" + flags_;
    switch (letter_) {
      case '%':
        return "%";
      case 'd':
      case 'i':
        return is_long_ ? formatted(start + "lld", arguments.next<long long>())
                        : formatted(start + "d", arguments.next<int>());
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return is_long_ ? formatted(start + "ll" + letter_, arguments.next<unsigned long long>())
                        : formatted(start + letter_, arguments.next<unsigned>());
      case 'c':
        return formatted(start + "c", arguments.next<int>());
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        return formatted(start + letter_, arguments.next<double>());
      case 'p':
        return formatted("%#llx", arguments.next<unsigned long long>());
      case 's':
        return read_text(thread, arguments.next<std::uint64_t>());
      default:
        return "%" + flags_ + letter_;
    }
  }

 private:
  void read_number(const std::string& format, std::size_t& place) {
    for (int digits = 0; place < format.size() && format[place] >= '0' && format[place] <= '9';
         ++place) {
      if (++digits <= 2) flags_ += format[place];
    }
  }

  std::string flags_;
  bool is_long_ = false;
  char letter_ = '%';
};

/// The device's printf: a format, and consecutive arguments, each aligned to its size. Writes to
/// stdout. Returns the number of arguments, or -1 for an invalid format.
std::int32_t print_formatted(Thread& thread, std::uint64_t format_address,
                             std::uint64_t argument_address) {
  const std::string format = read_text(thread, format_address);
  Arguments arguments(thread, argument_address);
  std::string text;
  for (std::size_t place = 0; place < format.size();) {
    const char c = format[place++];
    if (c != '%') {
      text += c;
    } else {
      text += Conversion(format, place).text(thread, arguments);
    }
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return arguments.count();
}

/// Writes the message of a failed device assert to stderr.
void print_assertion(Thread& thread, std::uint64_t message, std::uint64_t file, std::uint32_t line,
                     std::uint64_t function) {
  const Dimensions& block = thread.block().index();
  const Dimensions& place = thread.position().thread;
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
               read_text(thread, file).c_str(), line, read_text(thread, function).c_str(), block.x,
               block.y, block.z, place.x, place.y, place.z, read_text(thread, message).c_str());
}

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

/// (message, file, line, function, character size): all but the line and the size are strings.
void fail_assertion(Thread& thread, const CallSite& site) {
  print_assertion(thread, argument(thread, site, 0), argument(thread, site, 1),
                  static_cast<std::uint32_t>(argument(thread, site, 2)), argument(thread, site, 3));
  throw Fault{CUDA_ERROR_ASSERT, "a device assertion failed"};
}

void set_result(Thread& thread, const CallSite& site, std::uint64_t value) {
  const CallSite::Value& result = site.results[0];
  const auto address = thread.get<std::uint64_t>(result.slot);
  std::memcpy(thread.find(Space::parameter, address, result.size), &value, result.size);
}

void allocate(Thread& thread, const CallSite& site) {
  set_result(thread, site, thread.block().memory().allocate(argument(thread, site, 0)));
}

void release(Thread& thread, const CallSite& site) {
  const std::uint64_t address = argument(thread, site, 0);
  if (address == 0 || thread.block().memory().release(address)) return;
  throw Fault{CUDA_ERROR_ILLEGAL_ADDRESS, "frees what malloc did not return, or frees it again",
              address, 1};
}

// Cooperative groups, as cuda_device_runtime_api.h declares their functions.

constexpr std::uint64_t grid_scope = 1;
constexpr std::uint64_t grid_handle = 1;
constexpr std::int32_t invalid_value = 1;  // cudaErrorInvalidValue

bool is_cooperative(Thread& thread) { return thread.block().launch().cooperative; }

/// Returns 0 for a launch that is not cooperative, whose blocks cannot wait for one another.
void get_intrinsic_handle(Thread& thread, const CallSite& site) {
  const bool is_grid = argument(thread, site, 0) == grid_scope;
  set_result(thread, site, is_grid && is_cooperative(thread) ? grid_handle : std::uint64_t{0});
}

void synchronize_grid(Thread& thread, const CallSite& site) {
  static const Instruction meeting_point = [] {
    Instruction instruction;
    instruction.mode = static_cast<std::uint32_t>(Gathering::grid);
    return instruction;
  }();
  const bool is_grid = argument(thread, site, 0) == grid_handle && is_cooperative(thread);
  set_result(thread, site, is_grid ? std::int32_t{0} : invalid_value);
  if (is_grid) thread.wait(meeting_point);
}

constexpr Entry entries[] = {
    {"vprintf", 2, 1, print},
    {"__assertfail", 5, 0, fail_assertion},
    {"malloc", 1, 1, allocate},
    {"free", 1, 0, release},
    {"cudaCGGetIntrinsicHandle", 1, 1, get_intrinsic_handle},
    {"cudaCGSynchronize", 2, 1, synchronize_grid},
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
