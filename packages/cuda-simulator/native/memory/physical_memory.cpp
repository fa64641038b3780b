#include "physical_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "allocation_table.hpp"
#include "base/settings.hpp"
#include "shared_file.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// The file's name contains the device of the memory, since nothing else travels with the file.
std::string name_for(int device) { return "physical " + std::to_string(device); }

}  // namespace

PhysicalMemory::~PhysicalMemory() {
  if (file >= 0) close(file);
  if (counted) allocations().discharge(properties.location.id, size);
}

std::shared_ptr<PhysicalMemory> make_physical(const CUmemAllocationProp& properties,
                                              std::size_t size) {
  auto memory = std::make_shared<PhysicalMemory>();
  memory->properties = properties;
  memory->size = size;
  if (!allocations().charge(properties.location.id, size)) return nullptr;
  memory->counted = true;
  memory->file = make_shared_file(name_for(properties.location.id), size);
  if (memory->file < 0) return nullptr;
  void* start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->file, 0);
  if (start == MAP_FAILED) return nullptr;
  std::memset(start, 0xCB, size);
  munmap(start, size);
  return memory;
}

std::shared_ptr<PhysicalMemory> import_physical(int file) {
  for (int device = 0; device < settings().devices; ++device) {
    if (!is_shared_file(file, name_for(device))) continue;
    struct stat status {};
    auto memory = std::make_shared<PhysicalMemory>();
    memory->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (memory->file < 0 || fstat(memory->file, &status) != 0) return nullptr;
    memory->size = static_cast<std::size_t>(status.st_size);
    memory->properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    memory->properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    memory->properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    return memory;
  }
  return nullptr;
}

}  // namespace array_interface::cuda_simulator
