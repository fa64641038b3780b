#include "interpreter/other_copy.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>

namespace array_interface {

namespace {

struct Search {
  std::string own;
  std::string other;
};

/// `/python.node` of `/app/build/python.node`.
std::string FileOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash);
}

int Visit(dl_phdr_info* library, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  const std::string path = library->dlpi_name;
  if (path == search.own || FileOf(path) != FileOf(search.own)) return 0;
  search.other = path;
  return 1;
}

}  // namespace

std::string OtherCopy() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&OtherCopy), &info) == 0) return {};
  Search search{info.dli_fname, ""};
  dl_iterate_phdr(Visit, &search);
  return search.other;
}

}  // namespace array_interface
