#include "settings.hpp"

#include <cstdlib>
#include <cstring>

#include "fault.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// Parses a decimal number in [low, high]. The whole `text` must be the number.
bool read_number(const char* text, std::uint64_t low, std::uint64_t high, std::uint64_t& number) {
  if (*text < '0' || *text > '9' || std::strlen(text) > 19) return false;
  char* end = nullptr;
  number = std::strtoull(text, &end, 10);
  return *end == '\0' && number >= low && number <= high;
}

/// Reads environment variables one after another, and keeps the first error.
class Reader {
 public:
  explicit Reader(Settings& settings) : settings_(settings) {}

  /// Returns the value of an environment variable, or nullptr if it is unset or empty.
  const char* text(const char* name) const {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : nullptr;
  }

  template <class Number>
  void number(const char* name, std::uint64_t low, std::uint64_t high, Number& target,
              int shift = 0) {
    const char* value = text(name);
    if (value == nullptr) return;
    std::uint64_t number = 0;
    if (read_number(value, low, high, number)) {
      target = static_cast<Number>(number << shift);
    } else {
      complain(name, "a whole number from " + std::to_string(low) + " to " + std::to_string(high),
               value);
    }
  }

  void complain(const char* name, const std::string& expected, const char* got) {
    if (!settings_.problem.empty()) return;
    settings_.problem = std::string(name) + ": expected " + expected + ", got '" + got + "'";
  }

 private:
  Settings& settings_;
};

void read_schedule(Reader& reader, Settings& settings) {
  const char* value = reader.text("CUDA_SIMULATOR_SCHEDULE");
  if (value == nullptr || std::strcmp(value, "lazy") == 0) return;
  if (std::strcmp(value, "eager") == 0) {
    settings.schedule = Settings::Schedule::eager;
  } else if (std::strncmp(value, "random:", 7) == 0 &&
             read_number(value + 7, 0, UINT64_MAX, settings.seed)) {
    settings.schedule = Settings::Schedule::random;
  } else {
    reader.complain("CUDA_SIMULATOR_SCHEDULE", "lazy, eager or random:SEED", value);
  }
}

[[gnu::cold]] Settings read_settings() {
  Settings settings;
  Reader reader(settings);
  read_schedule(reader, settings);
  reader.number("CUDA_SIMULATOR_LAZY_QUERIES", 1, 1u << 30, settings.lazy_queries);
  reader.number("CUDA_SIMULATOR_DEVICES", 0, 16, settings.devices);
  reader.number("CUDA_SIMULATOR_MEMORY_MB", 1, 1u << 20, settings.memory, 20);
  reader.number("CUDA_SIMULATOR_DRIVER_VERSION", 11020, 13990, settings.driver_version);
  reader.number("CUDA_SIMULATOR_ADDRESS_SPACE_GB", 1, 4096, settings.address_space, 30);
  reader.number("CUDA_SIMULATOR_PEERS", 0, 2, settings.peers);
  reader.number("CUDA_SIMULATOR_KERNEL_STEPS", 1, UINT64_MAX / 2, settings.kernel_steps);
  reader.number("CUDA_SIMULATOR_LEAKS", 0, 1, settings.leaks);
  reader.number("CUDA_SIMULATOR_TEARDOWN", 0, 1, settings.teardown);
  if (const char* log = reader.text("CUDA_SIMULATOR_LOG")) settings.log = log;
  if (const char* faults = reader.text("CUDA_SIMULATOR_FAIL")) {
    if (!plan_faults(faults)) {
      reader.complain(
          "CUDA_SIMULATOR_FAIL",
          "CALL:N or CALL:*, and :ERROR, of a call and an error that the simulator knows, "
          "several with commas",
          faults);
    }
  }
  return settings;
}

}  // namespace

const Settings& settings() {
  static const Settings& settings = *new Settings(read_settings());  // outlives every thread
  return settings;
}

}  // namespace array_interface::cuda_simulator
