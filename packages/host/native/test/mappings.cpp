#include "mappings.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

int checks = 0;
int failed = 0;

void ExpectOf(bool asks, const char* name, const void* address, std::uint64_t length, bool mapped,
              std::uint64_t readable, bool writable) {
  const auto start = reinterpret_cast<std::uint64_t>(address);
  const auto found = array_interface::QueryAccess(start, length, asks);
  ++checks;
  if (found && found->mapped == mapped && found->readable == readable &&
      found->writable == writable) {
    return;
  }
  ++failed;
  if (!found) {
    std::printf("%s: no table\n", name);
    return;
  }
  std::printf("%s: mapped %d, readable %llu, writable %d\n", name, found->mapped,
              static_cast<unsigned long long>(found->readable), found->writable);
}

/// Checks the kernel's query, if it has one, and the text.
void Expect(const char* name, const void* address, std::uint64_t length, bool mapped,
            std::uint64_t readable, bool writable) {
  ExpectOf(true, name, address, length, mapped, readable, writable);
  ExpectOf(false, name, address, length, mapped, readable, writable);
}

char* Map(std::size_t size, int protection, int flags, int file) {
  void* address = mmap(nullptr, size, protection, flags, file, 0);
  if (address != MAP_FAILED) return static_cast<char*>(address);
  std::perror("mmap");
  std::exit(2);
}

/// A file of `size` bytes that is deleted once it is closed.
int File(off_t size) {
  std::FILE* file = std::tmpfile();
  // NOLINTNEXTLINE(clang-analyzer-unix.Stream): whoever has the descriptor closes the file
  if (file != nullptr && ftruncate(fileno(file), size) == 0) return fileno(file);
  std::perror("tmpfile");
  std::exit(2);
}

/// Checks that the child of a fork queries its own mappings.
void ExpectOfChild(std::size_t page) {
  char* gone = Map(page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  ExpectOf(true, "before the fork", gone, 8, true, 8, true);
  const pid_t child = fork();
  if (child == 0) {
    munmap(gone, page);
    const auto found = array_interface::QueryAccess(reinterpret_cast<std::uint64_t>(gone), 8);
    _exit(found && !found->mapped ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  ++checks;
  if (status == 0) return;
  ++failed;
  std::printf("a fork's child was told of its parent's mappings\n");
}

}  // namespace

int main() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const int anonymous = MAP_PRIVATE | MAP_ANONYMOUS;

  // six pages: three writable, one readable, one inaccessible, one unmapped
  char* pages = Map(6 * page, PROT_READ | PROT_WRITE, anonymous, -1);
  mprotect(pages + 3 * page, page, PROT_READ);
  mprotect(pages + 4 * page, page, PROT_NONE);
  munmap(pages + 5 * page, page);
  Expect("writable", pages + 1, 3 * page - 1, true, 3 * page - 1, true);
  Expect("into read-only", pages, 4 * page, true, 4 * page, false);
  Expect("read-only", pages + 3 * page, 8, true, 8, false);
  Expect("into no access", pages + 3 * page - 8, page + 16, true, page + 8, false);
  Expect("no access", pages + 4 * page, 8, true, 0, true);
  Expect("nothing", pages + 5 * page, 8, false, 0, true);
  Expect("no bytes", pages, 0, true, 0, true);

  // a file that was truncated: its last pages are mapped, and reading them raises SIGBUS
  const int file = File(static_cast<off_t>(64 * page));
  char* whole = Map(64 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file);
  Expect("file", whole, 64 * page, true, 64 * page, true);
  if (ftruncate(file, static_cast<off_t>(5 * page + 1)) != 0) return 2;
  Expect("shorter file", whole, 64 * page, true, 6 * page, true);
  Expect("within the shorter file", whole + page, 5 * page, true, 5 * page, true);
  Expect("beyond the file", whole + 6 * page, 8, true, 0, true);
  Expect("across its end", whole + 6 * page - 3, 8, true, 3, true);

  Expect("the last address", reinterpret_cast<void*>(~std::uintptr_t{0}), 64, false, 0, true);
  Expect("address 0", nullptr, ~std::uint64_t{0}, false, 0, true);

  ExpectOfChild(page);

  std::printf("%d checks, %d failed\n", checks, failed);
  return failed == 0 ? 0 : 1;
}
