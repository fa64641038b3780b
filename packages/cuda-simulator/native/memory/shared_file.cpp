#include "shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace array_interface::cuda_simulator {
namespace {

std::string name_of(const std::string& what) { return "cuda-simulator " + what; }

std::string path_of(const std::string& process, int file) {
  return "/proc/" + process + "/fd/" + std::to_string(file);
}

/// /proc shows the name of a memory file as a dangling link.
bool is_ours(const std::string& path, const std::string& what) {
  char target[80] = {};
  const std::string expected = "/memfd:" + name_of(what) + " ";
  return readlink(path.c_str(), target, sizeof target - 1) > 0 &&
         std::string(target).compare(0, expected.size(), expected) == 0;
}

}  // namespace

int make_shared_file(const std::string& what, std::size_t size) {
  const int file = memfd_create(name_of(what).c_str(), MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0) return file;
  if (file >= 0) close(file);
  return -1;
}

bool is_shared_file(int file, const std::string& what) {
  return is_ours(path_of("self", file), what);
}

int open_shared_file(long process, int file, const std::string& what) {
  const std::string path = path_of(std::to_string(process), file);
  return is_ours(path, what) ? open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK) : -1;
}

}  // namespace array_interface::cuda_simulator
