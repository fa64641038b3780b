#include "library/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <mutex>
#include <unordered_set>

namespace array_interface {

namespace {

std::string LoadedPath(void* handle, const std::string& asked) {
  link_map* map = nullptr;
  const bool known = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr;
  return known && map->l_name != nullptr && *map->l_name != '\0' ? map->l_name : asked;
}

}  // namespace

std::shared_ptr<const Library> Library::Open(const std::vector<std::string>& candidates,
                                             std::vector<Attempt>& attempts) {
  for (const auto& candidate : candidates) {
    void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) {
      return std::shared_ptr<const Library>(new Library(handle, LoadedPath(handle, candidate)));
    }
    const char* error = dlerror();
    attempts.push_back({candidate, error != nullptr ? error : "unknown error"});
  }
  return nullptr;
}

void StayLoaded() { KeepLoaded(reinterpret_cast<const void*>(&StayLoaded)); }

void KeepLoaded(const void* function) {
  // Each call to the loader takes a microsecond, and a library that it keeps is never unmapped. So
  // one call for each function is enough.
  static std::mutex mutex;
  static auto* const kept = new std::unordered_set<const void*>;  // exit() may still import arrays
  const std::lock_guard lock(mutex);
  if (!kept->insert(function).second) return;
  Dl_info info;
  if (dladdr(function, &info) == 0) return;
  dlopen(info.dli_fname, RTLD_NOW | RTLD_NODELETE | RTLD_NOLOAD);
}

void* Library::Symbol(const char* name) const { return dlsym(handle_, name); }

}  // namespace array_interface
