#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernels/embedded.hpp"
#include "test/harness/gpu.hpp"

// Tables of the driver's documentation: each call takes the flags that it has, one of them or
// several as it says, and no other bit; and what occupancy is for every size of a block.

using array_interface::strided_copy_ptx;
using namespace test;

namespace {

/// A call, and the flags that its documentation has.
struct Flagged {
  const char* name;
  std::function<CUresult(unsigned)> call;
  std::set<unsigned> known;
};

/// Every combination of these bits.
std::set<unsigned> any_of(unsigned bits) {
  std::set<unsigned> all;
  for (unsigned flags = 0; flags <= bits; ++flags) {
    if ((flags & ~bits) == 0) all.insert(flags);
  }
  return all;
}

/// Combinations of the lowest bits, and each other bit, alone and with a known one.
std::set<unsigned> flags_to_try(const std::set<unsigned>& known) {
  std::set<unsigned> all = known;
  for (unsigned flags = 0; flags < 32; ++flags) all.insert(flags);
  for (unsigned bit = 5; bit < 32; ++bit) {
    all.insert(1u << bit);
    all.insert((1u << bit) | *known.rbegin());
  }
  return all;
}

template <class Handle, class Make, class End>
std::function<CUresult(unsigned)> made(Make make, End end) {
  return [make, end](unsigned flags) {
    Handle handle{};
    const CUresult result = make(&handle, flags);
    if (result == CUDA_SUCCESS) OK(end(handle));
    return result;
  };
}

}  // namespace

CASE("limits: the flags of each call are those of its documentation") {
  use_device();
  static Bytes bytes(64);
  static const CUevent mark = event();
  static const CUstream queue = stream();
  static unsigned char* const pinned = pinned_memory(64);
  static CUdeviceptr managed = 0;
  OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  const std::vector<Flagged> calls = {
      {"cuInit", [](unsigned flags) { return cuInit(flags); }, {0}},
      {"cuStreamCreate", made<CUstream>(cuStreamCreate, cuStreamDestroy_v2), {0, 1}},
      {"cuStreamCreateWithPriority",
       made<CUstream>([](CUstream* made,
                         unsigned flags) { return cuStreamCreateWithPriority(made, flags, 0); },
                      cuStreamDestroy_v2),
       {0, 1}},
      // blocking sync, no timing, and between processes, which wants no timing
      {"cuEventCreate", made<CUevent>(cuEventCreate, cuEventDestroy_v2), {0, 1, 2, 3, 6, 7}},
      {"cuMemAllocManaged",
       made<CUdeviceptr>(
           [](CUdeviceptr* made, unsigned flags) { return cuMemAllocManaged(made, 8, flags); },
           cuMemFree_v2),
       {1, 2}},
      // portable, mapped, write combined
      {"cuMemHostAlloc",
       made<void*>([](void** made, unsigned flags) { return cuMemHostAlloc(made, 8, flags); },
                   cuMemFreeHost),
       any_of(7)},
      // portable, mapped, I/O memory, read only
      {"cuMemHostRegister",
       [](unsigned flags) {
         const CUresult result = cuMemHostRegister_v2(bytes.data(), 64, flags);
         if (result == CUDA_SUCCESS) OK(cuMemHostUnregister(bytes.data()));
         return result;
       },
       any_of(15)},
      {"cuMemHostGetDevicePointer",
       [](unsigned flags) {
         CUdeviceptr found = 0;
         return cuMemHostGetDevicePointer_v2(&found, pinned, flags);
       },
       {0}},
      // global, host, or the stream alone
      {"cuStreamAttachMemAsync",
       [](unsigned flags) { return cuStreamAttachMemAsync(queue, managed, 0, flags); },
       {1, 2, 4}},
      // none, or an event of outside of a capture
      {"cuStreamWaitEvent",
       [](unsigned flags) { return cuStreamWaitEvent(queue, mark, flags); },
       {0, 1}},
      {"cuEventRecordWithFlags",
       [](unsigned flags) { return cuEventRecordWithFlags(mark, queue, flags); },
       {0, 1}},
      {"cuGraphCreate", made<CUgraph>(cuGraphCreate, cuGraphDestroy), {0}},
  };
  for (const auto& [name, call, known] : calls) {
    for (const unsigned flags : flags_to_try(known)) {
      const bool is_known = known.count(flags) != 0;
      const std::string what = std::string(name) + " with flags " + std::to_string(flags) + ": ";
      EQUAL(what + std::to_string(static_cast<int>(call(flags))),
            what + std::to_string(
                       static_cast<int>(is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE)));
    }
  }
}

namespace {

// Of the guide's table of compute capabilities, 9.0: what runs on a multiprocessor at a time.
constexpr int warp = 32;
constexpr int most_warps = 64;
constexpr int most_blocks = 32;
constexpr std::size_t shared_memory = 228 * 1024;
constexpr std::size_t reserved_for_block = 1024;

int expected_blocks(int threads, std::size_t shared) {
  const int by_warps = most_warps / ((threads + warp - 1) / warp);
  const int by_shared = static_cast<int>(shared_memory / (shared + reserved_for_block));
  return std::min({by_warps, by_shared, most_blocks});
}

int active_blocks(CUfunction function, int threads, std::size_t shared) {
  int blocks = -1;
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, shared));
  int same = -1;
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, function, threads, shared, 0));
  EQUAL(blocks, same);
  return blocks;
}

CUfunction some_kernel() {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  OK(cuModuleLoadData(&module, strided_copy_ptx));
  OK(cuModuleGetFunction(&function, module, "strided_copy_1"));
  return function;
}

}  // namespace

CASE("limits: how many blocks of each size run at a time: whole warps, and their shared memory") {
  use_device();
  const CUfunction function = some_kernel();
  for (int threads = 1; threads <= 1024; ++threads) {
    for (const std::size_t shared : {0, 1, 6271, 6272, 16384, 49152}) {
      const std::string what =
          std::to_string(threads) + " threads, " + std::to_string(shared) + " bytes: ";
      EQUAL(what + std::to_string(active_blocks(function, threads, shared)),
            what + std::to_string(expected_blocks(threads, shared)));
    }
  }
  EQUAL(active_blocks(function, 1025, 0), 0);
}

CASE("limits: the best size of a block has the most threads that run at a time") {
  use_device();
  const CUfunction function = some_kernel();
  int multiprocessors = 0;
  OK(cuDeviceGetAttribute(&multiprocessors, 16, 0));
  for (const std::size_t shared : {std::size_t{0}, std::size_t{20000}, std::size_t{49152}}) {
    for (const int limit : {0, 1, 31, 33, 100, 768, 1024, 5000}) {
      int grid = 0;
      int block = 0;
      OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, shared, limit));
      const int most = limit == 0 ? 1024 : std::min(limit, 1024);
      CHECK(block >= 1 && block <= most);
      EQUAL(grid, expected_blocks(block, shared) * multiprocessors);
      for (int size = warp; size <= most; size += warp) {
        CHECK(expected_blocks(size, shared) * size <= expected_blocks(block, shared) * block);
      }
    }
  }
}
