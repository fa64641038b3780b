#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// A case runs alone in its own process, as the simulator reads its environment once.

namespace test {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct Case {
  std::string name;
  Environment environment;
  void (*body)();
  bool program;  ///< not a test: a test runs it with run_program()
};

std::vector<Case>& cases();

struct Registration {
  Registration(const char* name, Environment environment, void (*body)(), bool program = false);
  /// Registers the same body under the lazy, the eager and three random schedules.
  static Registration for_each_schedule(const char* name, void (*body)());

 private:
  Registration() = default;
};

/// How a program ended, and what it wrote to stderr.
struct Ending {
  int status = 0;  ///< exit status, or 128 + signal
  std::string error_text;
};

/// Runs a PROGRAM in its own process, for at most hang_seconds.
Ending run_program(const std::string& name, const Environment& environment = {});

/// Whether `action` ends a forked child by SIGSEGV.
bool faults(void (*action)(void*), void* argument);

struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Left, class Right>
void check_equal(const Left& left, const Right& right, const char* text, const char* file,
                 int line) {
  if (left == right) return;
  std::ostringstream message;
  message << file << ":" << line << ": " << text << ": got " << left << ", expected " << right;
  throw CheckFailed(message.str());
}

}  // namespace test

#define TEST_JOIN_(a, b) a##b
#define TEST_JOIN(a, b) TEST_JOIN_(a, b)
#define TEST_CASE_(name, environment, program)                        \
  static void TEST_JOIN(case_, __LINE__)();                           \
  static const test::Registration TEST_JOIN(registration_, __LINE__)( \
      name, environment, TEST_JOIN(case_, __LINE__), program);        \
  static void TEST_JOIN(case_, __LINE__)()

/// A test under the lazy schedule.
#define CASE(name) TEST_CASE_(name, test::Environment{}, false)
/// A test with environment variables, as {"NAME", "value"} pairs.
#define CASE_WITH(name, ...) TEST_CASE_(name, (test::Environment{__VA_ARGS__}), false)
/// A test that must hold under every schedule.
#define CASE_EVERY_SCHEDULE(name)                                              \
  static void TEST_JOIN(case_, __LINE__)();                                    \
  static const test::Registration TEST_JOIN(registration_, __LINE__) =         \
      test::Registration::for_each_schedule(name, TEST_JOIN(case_, __LINE__)); \
  static void TEST_JOIN(case_, __LINE__)()
/// A program for run_program().
#define PROGRAM(name) TEST_CASE_(name, test::Environment{}, true)

#define EQUAL(left, right) \
  test::check_equal((left), (right), #left " == " #right, __FILE__, __LINE__)
#define CHECK(condition) \
  test::check_equal(static_cast<bool>(condition), true, #condition, __FILE__, __LINE__)
/// A driver call that must succeed.
#define OK(call) test::check_equal(static_cast<int>(call), 0, #call, __FILE__, __LINE__)
/// A driver call that must return this error.
#define FAILS(call, error) \
  test::check_equal(static_cast<int>(call), static_cast<int>(error), #call, __FILE__, __LINE__)
