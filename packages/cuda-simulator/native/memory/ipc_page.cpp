#include "ipc_page.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "base/failure.hpp"
#include "base/immortal.hpp"
#include "shared_file.hpp"

namespace array_interface::cuda_simulator {
namespace {

constexpr std::uint64_t page_magic = 0x31656761506d6953;  // SimPage1
constexpr char page_file[] = "page";
constexpr std::uint64_t handle_magic = 0x31656c646e614853;  // SHandle1

/// Returns when a process started; 0 for one that does not exist or is a zombie.
std::uint64_t started(std::int64_t process) {
  char path[40];
  std::snprintf(path, sizeof path, "/proc/%lld/stat", static_cast<long long>(process));
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return 0;
  char text[1024];
  const std::size_t size = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[size] = '\0';
  const char* behind_name = std::strrchr(text, ')');  // the name may contain anything
  char state = 'Z';
  unsigned long long ticks = 0;
  constexpr const char* fields =
      " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu";
  if (behind_name == nullptr || std::sscanf(behind_name + 1, fields, &state, &ticks) != 2) return 0;
  return state == 'Z' || state == 'X' ? 0 : ticks;
}

std::uint64_t check_of(const IpcHandle& handle) {
  unsigned char bytes[offsetof(IpcHandle, check)];
  std::memcpy(bytes, &handle, sizeof bytes);
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

IpcPage* map_page(int file) {
  void* start = mmap(nullptr, sizeof(IpcPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return start == MAP_FAILED ? nullptr : static_cast<IpcPage*>(start);
}

struct OwnPage {
  int file = -1;
  IpcPage* page = nullptr;

  OwnPage() {
    file = make_shared_file(page_file, sizeof(IpcPage));
    if (file >= 0) page = map_page(file);
    if (page == nullptr) return;
    page->owner = this_process();
    if (getrandom(&page->secret, sizeof page->secret, 0) != sizeof page->secret) page->secret = 1;
    page->magic = page_magic;
  }
};

OwnPage& own() {
  OwnPage& page = immortal<OwnPage>();
  require(page.page != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  return page;
}

struct Pages {
  std::mutex mutex;
  std::map<std::uint64_t, IpcPage*> by_secret;
};

Pages& pages() { return immortal<Pages>(); }

}  // namespace

ProcessName this_process() {
  static const ProcessName name{getpid(), started(getpid())};
  return name;
}

bool is_alive(const ProcessName& process) {
  return process.number > 0 && process.started != 0 && started(process.number) == process.started;
}

IpcPage& own_page() { return *own().page; }

IpcHandle make_handle(IpcHandle::What what, std::size_t slot, std::uint64_t id) {
  IpcHandle handle{handle_magic, own_page().secret, this_process(), own().file, what, slot, id, 0};
  handle.check = check_of(handle);
  return handle;
}

IpcPage& page_of(const IpcHandle& handle, IpcHandle::What what) {
  require(handle.magic == handle_magic && handle.check == check_of(handle) && handle.what == what);
  require(!(handle.owner == this_process()), CUDA_ERROR_INVALID_CONTEXT);
  require(is_alive(handle.owner));
  std::lock_guard lock(pages().mutex);
  const auto known = pages().by_secret.find(handle.secret);
  if (known != pages().by_secret.end()) return *known->second;
  const int file = open_shared_file(handle.owner.number, handle.page_file, page_file);
  require(file >= 0);
  struct stat status {};
  const bool whole = fstat(file, &status) == 0 && status.st_size == off_t{sizeof(IpcPage)};
  IpcPage* page = whole ? map_page(file) : nullptr;
  close(file);
  require(page != nullptr);
  const bool right = page->magic == page_magic && page->secret == handle.secret;
  if (!right) munmap(page, sizeof(IpcPage));
  require(right);
  pages().by_secret.emplace(handle.secret, page);
  return *page;
}

void ring(IpcPage& page) {
  ++page.doorbell;
  syscall(SYS_futex, &page.doorbell, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

void wait_for_ring(IpcPage& page, std::uint32_t seen) {
  const timespec longest{0, 20'000'000};
  syscall(SYS_futex, &page.doorbell, FUTEX_WAIT, seen, &longest, nullptr, 0);
}

}  // namespace array_interface::cuda_simulator
