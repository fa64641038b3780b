#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hang.hpp"
#include "harness.hpp"

// Cases with two processes.

namespace test {

/// Another process, and the pipes to communicate with it.
struct Child {
  pid_t process = 0;
  int to = -1;
  int from = -1;

  /// Starts a PROGRAM whose standard input and output are the other ends.
  explicit Child(const char* program) {
    int down[2];
    int up[2];
    CHECK(pipe2(down, O_CLOEXEC) == 0 && pipe2(up, O_CLOEXEC) == 0);
    process = fork();
    if (process == 0) {
      dup2(down[0], STDIN_FILENO);
      dup2(up[1], STDOUT_FILENO);
      alarm(hang_seconds);
      execl("/proc/self/exe", "simulator-tests", program, nullptr);
      _exit(127);
    }
    close(down[0]);
    close(up[1]);
    to = down[1];
    from = up[0];
  }

  int end() {
    close(to);
    close(from);
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

template <class Value>
inline void send(int file, const Value& value) {
  CHECK(write(file, &value, sizeof value) == ssize_t{sizeof value});
}

template <class Value>
inline Value receive(int file) {
  Value value{};
  EQUAL(::read(file, &value, sizeof value), ssize_t{sizeof value});
  return value;
}

}  // namespace test
