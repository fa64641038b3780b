#include "harness.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "base/driver_api.hpp"
#include "base/refused_api.hpp"
#include "hang.hpp"

namespace test {

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

Registration::Registration(const char* name, Environment environment, void (*body)(),
                           bool program) {
  cases().push_back({name, std::move(environment), body, program});
}

Registration Registration::for_each_schedule(const char* name, void (*body)()) {
  for (const char* schedule : {"lazy", "eager", "random:7", "random:11", "random:23"}) {
    cases().push_back({std::string(name) + " (" + schedule + ")",
                       {{"CUDA_SIMULATOR_SCHEDULE", schedule}},
                       body,
                       false});
  }
  return {};
}

namespace {

int end_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Removes simulator variables that the caller set from the environment.
void clear_environment() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (text.rfind("CUDA_SIMULATOR_", 0) == 0) names.push_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

int run_case(const Case& wanted) {
  if (!wanted.program) clear_environment();
  for (const auto& [name, value] : wanted.environment) setenv(name.c_str(), value.c_str(), 1);
  try {
    wanted.body();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

const Case* find_case(const char* name) {
  for (const Case& known : cases()) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

int run_all() {
  int failed = 0;
  int passed = 0;
  for (const Case& known : cases()) {
    if (known.program) continue;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      alarm(2 * hang_seconds);  // a program that hangs inside it ends first
      std::exit(run_case(known));
    }
    const bool good = end_of(child) == 0;
    std::printf("%s %s\n", good ? "ok  " : "FAIL", known.name.c_str());
    ++(good ? passed : failed);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace

Ending run_program(const std::string& name, const Environment& environment) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  const pid_t child = fork();
  if (child == 0) {
    for (const auto& [key, value] : environment) setenv(key.c_str(), value.c_str(), 1);
    dup2(ends[1], STDERR_FILENO);
    alarm(hang_seconds);
    execl("/proc/self/exe", "simulator-tests", name.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  Ending ending;
  char part[4096];
  for (ssize_t size = 0; (size = read(ends[0], part, sizeof part)) > 0;) {
    ending.error_text.append(part, static_cast<std::size_t>(size));
  }
  close(ends[0]);
  ending.status = end_of(child);
  return ending;
}

bool faults(void (*action)(void*), void* argument) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    action(argument);
    _exit(0);
  }
  return end_of(child) == 128 + SIGSEGV;
}

}  // namespace test

/// Prints the table of all exported functions of the driver, in the order of their names.
static int print_functions() {
  std::map<std::pair<std::string, int>, std::pair<const char*, const char*>> rows;
#define WORKS(base, symbol, version, parameters) rows[{#base, version}] = {#symbol, "works"};
#define REFUSED(base, symbol, version) rows[{#base, version}] = {#symbol, "refuses"};
  CUDA_SIMULATOR_FUNCTIONS(WORKS, WORKS)
  CUDA_SIMULATOR_REFUSED(REFUSED)
#undef WORKS
#undef REFUSED
  for (const auto& [key, row] : rows) {
    std::printf("| `%s` | %d.%d | `%s` | %s |\n", key.first.c_str(), key.second / 1000,
                key.second / 10 % 100, row.first, row.second);
  }
  return 0;
}

/// No argument: runs all cases. --list: prints their names. --functions: prints the driver's. NAME:
/// runs that one, in this process.
int main(int count, char** arguments) {
  if (count < 2) return test::run_all();
  if (std::strcmp(arguments[1], "--list") == 0) {
    for (const test::Case& known : test::cases()) {
      if (!known.program) std::printf("%s\n", known.name.c_str());
    }
    return 0;
  }
  if (std::strcmp(arguments[1], "--functions") == 0) return print_functions();
  const test::Case* wanted = test::find_case(arguments[1]);
  if (wanted == nullptr) {
    std::fprintf(stderr, "no case '%s'\n", arguments[1]);
    return 2;
  }
  return test::run_case(*wanted);
}
