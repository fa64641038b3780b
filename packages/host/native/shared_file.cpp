#include "shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include "files/file_descriptor.hpp"
#include "pages.hpp"

namespace array_interface {

namespace {

/// The name by which an importer recognises such a file. The system prepends `/memfd:`.
constexpr char kName[] = "array-interface memory";

/// These seals keep everyone from removing pages of the file, which would kill the processes that
/// map it.
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

/// A mapping of a whole file. While it is destroyed nobody can find its pages, since `Allocation`
/// has unregistered them by then.
class Mapping {
 public:
  /// Throws std::bad_alloc.
  Mapping(const FileDescriptor& file, std::size_t size) : size_(size) {
    // First map pages that count as this process's memory, so that the system refuses what it
    // cannot commit. It would map a file regardless, and kill the process once pages are missing.
    data_ = Pages::Get().Take(Pages::Whole(size), Pages::Whole(1));
    if (data_ == nullptr) throw std::bad_alloc();
    const int flags = MAP_SHARED | MAP_FIXED;
    if (mmap(data_, size, PROT_READ | PROT_WRITE, flags, file.number(), 0) != MAP_FAILED) return;
    Pages::Get().Drop(data_, Pages::Whole(size));
    throw std::bad_alloc();
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { Pages::Get().Drop(data_, Pages::Whole(size_)); }

  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
  std::size_t size_;
};

/// A file and its mapping. The exporter keeps the file open, since its path is the ticket.
struct Kept {
  Kept(FileDescriptor opened, std::size_t size) : file(std::move(opened)), mapping(file, size) {}

  FileDescriptor file;
  Mapping mapping;
};

std::shared_ptr<Allocation> Over(const std::shared_ptr<Kept>& kept, std::size_t size) {
  return Allocation::Over(kept, kept->mapping.data() + SharedFile::kHeader, size);
}

struct Registry {
  std::mutex mutex;
  std::map<TicketFile::Identity, std::weak_ptr<Allocation>> opened;
};

/// Never destroyed, like the table of allocations.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

/// True if none of its bytes can be removed, and it can be mapped writable.
bool CanBeMapped(const TicketFile& file) {
  constexpr int kReadOnly = F_SEAL_WRITE | F_SEAL_FUTURE_WRITE;
  const int seals = fcntl(file.number(), F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && (seals & kReadOnly) == 0;
}

std::shared_ptr<Allocation> MapOnce(TicketFile& file, std::size_t size) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  for (auto at = registry.opened.begin(); at != registry.opened.end();) {
    at = at->second.expired() ? registry.opened.erase(at) : std::next(at);
  }
  auto& known = registry.opened[file.identity()];
  if (auto opened = known.lock()) return opened;
  const auto kept = std::make_shared<Kept>(file.Take(), size);
  kept->file.Close();  // the mapping keeps the memory
  auto made = Over(kept, size - SharedFile::kHeader);
  known = made;
  return made;
}

}  // namespace

SharedFile::Made SharedFile::Make(std::uint64_t size, const std::string& header) {
  if (header.size() > kHeader)
    throw std::invalid_argument("expected a header of at most one page, got a longer one");
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max()) - kHeader;
  if (size > kMost) return {nullptr, "", ENOMEM};
  const std::size_t whole = kHeader + size;
  FileDescriptor file(memfd_create(kName, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const int number = file.number();
  const auto is_made = [&] {
    return number >= 0 && ftruncate(number, static_cast<off_t>(whole)) == 0 &&
           fcntl(number, F_ADD_SEALS, kSeals) == 0;
  };
  if (!is_made()) return {nullptr, "", errno};
  std::shared_ptr<Kept> kept;
  try {
    kept = std::make_shared<Kept>(std::move(file), whole);
  } catch (const std::bad_alloc&) {
    return {nullptr, "", ENOMEM};
  }
  std::memcpy(kept->mapping.data(), header.data(), header.size());
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(number);
  return {Over(kept, size), path, 0};
}

SharedFile::Opened SharedFile::Open(const std::string& path, std::size_t header_size, uid_t user) {
  TicketFile file(path, kName, user);
  Opened opened{file.state(), nullptr, "", file.owner(), file.error()};
  if (opened.state != State::kOpen) return opened;
  struct stat status {};
  std::string header(header_size, '\0');
  const auto is_ours = [&] {
    // The size is fixed only once the file is sealed, so it is read after that check.
    return header_size <= kHeader && CanBeMapped(file) && fstat(file.number(), &status) == 0 &&
           status.st_size > static_cast<off_t>(kHeader) &&
           pread(file.number(), header.data(), header_size, 0) == static_cast<ssize_t>(header_size);
  };
  if (!is_ours()) {
    opened.state = State::kForeign;
    return opened;
  }
  opened.allocation = MapOnce(file, static_cast<std::size_t>(status.st_size));
  opened.header = std::move(header);
  return opened;
}

}  // namespace array_interface
