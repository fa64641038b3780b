#include "kernel_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#include "files/file_descriptor.hpp"

namespace array_interface::sycl {

namespace {

constexpr char kMagic[8] = {'A', 'I', 'K', 'E', 'R', 'N', '0', '1'};
constexpr char kKept[] = ".kernel";
constexpr char kWritten[] = ".part";
/// The age in seconds at which a partial file counts as abandoned by its writer.
constexpr std::time_t kAbandoned = 600;

/// The header of each file. The key follows, then the binary.
struct Header {
  char magic[sizeof kMagic];
  std::uint64_t key_size;
  std::uint64_t binary_size;
  std::uint64_t checksum;  ///< of the key and the binary
};

/// FNV-1a, for names and against damage. It need not resist attacks: whoever can write here can do
/// harm without a collision.
std::uint64_t Hash(const std::string& bytes, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  }
  return hash;
}

/// Keys with the same hash share a file, which holds the last one written.
std::string NameOf(const std::string& key) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(Hash(key)));
  return digits + std::string(kKept);
}

bool EndsWith(const std::string& name, const std::string& end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

/// Whether it is a regular file of this user or root, with one link, that no other user may write.
bool IsOwn(const struct stat& file) {
  const bool is_ours = file.st_uid == geteuid() || file.st_uid == 0;
  return S_ISREG(file.st_mode) && is_ours && file.st_nlink == 1 && (file.st_mode & 022) == 0;
}

}  // namespace

std::optional<KernelFiles> KernelFiles::Open(const std::string& folder, std::uint64_t most) {
  FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found;
  if (!opened.is_open() || fstat(opened.number(), &found) != 0) return std::nullopt;
  if (found.st_uid != geteuid() || (found.st_mode & 077) != 0) return std::nullopt;
  return KernelFiles(opened.Release(), most);
}

std::optional<std::string> KernelFiles::Find(const std::string& key) const {
  const FileDescriptor file(
      openat(folder_, NameOf(key).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat found;
  Header header;
  if (!file.is_open() || fstat(file.number(), &found) != 0 || !IsOwn(found)) return std::nullopt;
  if (!file.Read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(found.st_size);
  const std::uint64_t before = sizeof header + key.size();
  if (header.key_size != key.size() || size <= before || header.binary_size != size - before) {
    return std::nullopt;
  }
  std::string same(key.size(), '\0');
  std::string binary(header.binary_size, '\0');
  if (!file.Read(same.data(), same.size()) || same != key) return std::nullopt;
  if (!file.Read(binary.data(), binary.size())) return std::nullopt;
  if (Hash(binary, Hash(key)) != header.checksum) return std::nullopt;
  futimens(file.number(), nullptr);
  return binary;
}

void KernelFiles::Keep(const std::string& key, const std::string& binary) const {
  static std::atomic<unsigned> written{0};
  Header header{{}, key.size(), binary.size(), Hash(binary, Hash(key))};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  if (binary.empty() || sizeof header + key.size() + binary.size() > most_) return;
  const std::string name = NameOf(key);
  const std::string part = name + "-" + std::to_string(getpid()) + "-" +
                           std::to_string(std::time(nullptr)) + "-" + std::to_string(written++) +
                           kWritten;
  bool is_whole = false;
  {
    const FileDescriptor file(
        openat(folder_, part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.is_open()) return;
    is_whole = file.Write(reinterpret_cast<const char*>(&header), sizeof header) &&
               file.Write(key.data(), key.size()) && file.Write(binary.data(), binary.size());
  }
  const bool is_kept = is_whole && renameat(folder_, part.c_str(), folder_, name.c_str()) == 0;
  if (!is_kept) unlinkat(folder_, part.c_str(), 0);
  Trim();
}

void KernelFiles::Trim() const {
  struct Entry {
    timespec used;
    std::uint64_t size;
    std::string name;
  };
  // Not `folder_` itself: reading it would move its position for all threads.
  FileDescriptor again(openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR* const listing = fdopendir(again.number());
  if (listing == nullptr) return;
  again.Release();  // closedir() closes it
  std::vector<Entry> kept;
  std::uint64_t sum = 0;
  while (const dirent* entry = readdir(listing)) {
    const std::string name = entry->d_name;
    struct stat found;
    if (!EndsWith(name, kKept) && !EndsWith(name, kWritten)) continue;
    if (fstatat(folder_, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const bool is_written = EndsWith(name, kWritten);
    if (is_written && found.st_mtim.tv_sec + kAbandoned < std::time(nullptr)) {
      unlinkat(folder_, name.c_str(), 0);
    } else if (!is_written) {
      kept.push_back({found.st_mtim, static_cast<std::uint64_t>(found.st_size), name});
      sum += kept.back().size;
    }
  }
  closedir(listing);
  std::sort(kept.begin(), kept.end(), [](const Entry& one, const Entry& other) {
    return std::pair(one.used.tv_sec, one.used.tv_nsec) <
           std::pair(other.used.tv_sec, other.used.tv_nsec);
  });
  for (const Entry& entry : kept) {
    if (sum <= most_) return;
    if (unlinkat(folder_, entry.name.c_str(), 0) == 0) sum -= entry.size;
  }
}

}  // namespace array_interface::sycl
