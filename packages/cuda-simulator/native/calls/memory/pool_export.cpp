#include <sys/mman.h>
#include <unistd.h>

#include "base/bits.hpp"
#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "memory/ipc_memory.hpp"
#include "memory/pool.hpp"
#include "memory/shared_file.hpp"

using namespace array_interface::cuda_simulator;

namespace {

/// Content of an exported pool's file: only properties, since each pointer names its own memory.
struct PoolFile {
  CUdevice device;
  CUmemPoolProps properties;
};

constexpr char pool_file[] = "pool";

}  // namespace

CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, int type,
                                          unsigned long long flags) {
  return driver_call(__func__, [&] {
    require(handle != nullptr && flags == 0 && type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    const auto found = pools().get(pool);
    require(found->properties.handleTypes == type && !found->imported);
    const PoolFile content{found->device, found->properties};
    const int file = make_shared_file(pool_file, sizeof content);
    require(file >= 0, CUDA_ERROR_OUT_OF_MEMORY);
    const bool written = pwrite(file, &content, sizeof content, 0) == ssize_t{sizeof content};
    if (!written) close(file);
    require(written, CUDA_ERROR_OUT_OF_MEMORY);
    *static_cast<int*>(handle) = file;
  });
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, int type,
                                            unsigned long long flags) {
  return driver_value(__func__, pool, [&] {
    require(flags == 0 && type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
    PoolFile content{};
    require(is_shared_file(file, pool_file) &&
            pread(file, &content, sizeof content, 0) == ssize_t{sizeof content});
    const auto made = make_pool(context_of(content.device).device, Allocation::Kind::device);
    made->properties = content.properties;
    made->imported = true;
    return made->handle;
  });
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer) {
  return driver_value(__func__, data, [&] {
    const AllocationPtr found = allocations().starting_at(pointer);
    require(found != nullptr && found->source == Allocation::Source::pool);
    const auto pool = pools().find(found->pool);
    require(pool != nullptr && pool->properties.handleTypes != 0 && found->region.file >= 0);
    return bits_as<CUmemPoolPtrExportData>(share(*found));
  });
}

CUresult cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool pool,
                                CUmemPoolPtrExportData* data) {
  return driver_value(__func__, pointer, [&] {
    require(data != nullptr);
    const auto found = pools().get(pool);
    require(found->imported);
    const AllocationPtr mapped = map_shared(bits_as<IpcHandle>(*data));
    mapped->source = Allocation::Source::pool;
    mapped->pool = found->handle;
    allocations().put(mapped);
    return mapped->start();
  });
}
