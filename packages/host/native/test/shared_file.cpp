#include "shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <thread>

namespace {

using array_interface::Allocation;
using array_interface::SharedFile;
using State = SharedFile::State;

int checks = 0;
int failed = 0;

void Expect(const char* name, bool holds) {
  ++checks;
  if (holds) return;
  ++failed;
  std::printf("%s\n", name);
}

/// The folder of this process's file descriptors, as tickets name it.
std::string Files() { return "/proc/" + std::to_string(getpid()) + "/fd/"; }

/// A memory-backed file with the right name; `seals` restricts what can still happen to it.
std::string Path(int file, int seals, off_t size) {
  if (ftruncate(file, size) != 0 || (seals != 0 && fcntl(file, F_ADD_SEALS, seals) != 0)) {
    std::perror("memfd");
  }
  return Files() + std::to_string(file);
}

std::string Path(int seals, off_t size, const char* name = "array-interface memory") {
  return Path(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING), seals, size);
}

State StateOf(const std::string& path) { return SharedFile::Open(path, 8, geteuid()).state; }

/// Two allocations of one file: one writes, the other reads.
void CheckBothSides() {
  SharedFile::Made made = SharedFile::Make(5000, "a header");
  auto* const written = reinterpret_cast<char*>(made.allocation->address());
  std::memset(written, 7, 5000);
  SharedFile::Opened opened = SharedFile::Open(made.path, 8, geteuid());
  Expect("opened", opened.state == State::kOpen && opened.header == "a header");
  Expect("as large", opened.allocation->size() >= 5000);
  const auto* const read = reinterpret_cast<const char*>(opened.allocation->address());
  Expect("another address", read != written && read[0] == 7 && read[4999] == 7);
  Expect("found", Allocation::Find(made.allocation->address() + 4999) == made.allocation);
  Expect("at one address",
         SharedFile::Open(made.path, 8, geteuid()).allocation == opened.allocation);
  Expect("live", Allocation::LiveCount() == 2);
  made = {};
  Expect("kept", read[4999] == 7 && Allocation::LiveCount() == 1);
  opened = {};
  Expect("ended", Allocation::LiveCount() == 0);
}

void CheckSize() {
  const SharedFile::Made made = SharedFile::Make(100, "");
  const int file = open(made.path.c_str(), O_RDWR | O_CLOEXEC);
  Expect("does not shrink", ftruncate(file, 0) != 0);
  Expect("does not grow", ftruncate(file, 1 << 20) != 0);
  close(file);
  Expect("no memory", SharedFile::Make(std::uint64_t{1} << 55, "").allocation == nullptr);
  Expect("no address", SharedFile::Make(~std::uint64_t{0}, "").allocation == nullptr);
}

void CheckOthers() {
  constexpr off_t kSize = 2 * SharedFile::kHeader;
  Expect("sealed", StateOf(Path(F_SEAL_SHRINK, kSize)) == State::kOpen);
  Expect("may shrink", StateOf(Path(0, kSize)) == State::kForeign);
  Expect("only may not grow", StateOf(Path(F_SEAL_GROW, kSize)) == State::kForeign);
  Expect("no memory in it", StateOf(Path(F_SEAL_SHRINK, SharedFile::kHeader)) == State::kForeign);
  Expect("may not be written",
         StateOf(Path(F_SEAL_SHRINK | F_SEAL_WRITE, kSize)) == State::kForeign);
  Expect("another name", StateOf(Path(F_SEAL_SHRINK, kSize, "other")) == State::kForeign);
  Expect("no file", StateOf(Files() + "1000000") == State::kEnded);
  Expect("a device", StateOf("/dev/null") == State::kForeign);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::perror("pipe2");
  Expect("a pipe", StateOf(Files() + std::to_string(ends[0])) == State::kForeign);
  const int large = memfd_create("array-interface memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  const std::string sparse = Path(large, F_SEAL_SHRINK, off_t{1} << 55);
  bool is_refused = false;
  try {
    SharedFile::Open(sparse, 8, geteuid());
  } catch (const std::bad_alloc&) {
    is_refused = true;
  }
  Expect("more than there can be", is_refused);
}

void CheckUsers() {
  const SharedFile::Made made = SharedFile::Make(100, "");
  const SharedFile::Opened opened = SharedFile::Open(made.path, 8, geteuid() + 1);
  Expect("another user's", opened.state == State::kAnothers && opened.owner == geteuid());
  Expect("and not mapped", opened.allocation == nullptr && Allocation::LiveCount() == 1);
}

/// The path of a thread, whose number /proc lists too.
void CheckThreads() {
  const SharedFile::Made made = SharedFile::Make(100, "");
  const std::string file = made.path.substr(made.path.find("/fd/"));
  State state = State::kOpen;
  std::thread([&] {
    state = StateOf("/proc/" + std::to_string(syscall(SYS_gettid)) + file);
  }).join();
  Expect("a thread", state == State::kThread);
}

void CheckNoMoreFiles() {
  rlimit usual{};
  getrlimit(RLIMIT_NOFILE, &usual);
  const rlimit none{3, usual.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  Expect("no more files", SharedFile::Make(8, "").error == EMFILE);
  setrlimit(RLIMIT_NOFILE, &usual);  // sanitizers open files when the program ends
}

}  // namespace

int main() {
  CheckBothSides();
  CheckSize();
  CheckOthers();
  CheckUsers();
  CheckThreads();
  CheckNoMoreFiles();
  std::printf("%d checks, %d failed\n", checks, failed);
  return failed == 0 ? 0 : 1;
}
