#include <unistd.h>

#include <cstdlib>

#include "test/harness/child.hpp"
#include "test/harness/held.hpp"

using namespace test;

namespace {

constexpr std::size_t size = 10000;  // not a whole number of pages

CUipcMemHandle handle_of(CUdeviceptr pointer) {
  CUipcMemHandle handle{};
  OK(cuIpcGetMemHandle(&handle, pointer));
  return handle;
}

CUdeviceptr opened(const CUipcMemHandle& handle) {
  CUdeviceptr pointer = 0;
  OK(cuIpcOpenMemHandle_v2(&pointer, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  return pointer;
}

CUipcEventHandle handle_of(CUevent marked) {
  CUipcEventHandle handle{};
  OK(cuIpcGetEventHandle(&handle, marked));
  return handle;
}

CUevent shared_event() { return event(CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS); }

}  // namespace

PROGRAM("program: opens memory and events") {
  use_device();
  const auto memory = receive<CUipcMemHandle>(STDIN_FILENO);
  const auto mark = receive<CUipcEventHandle>(STDIN_FILENO);
  const CUdeviceptr pointer = opened(memory);
  EQUAL(opened(memory), pointer);  // counted, at the same address
  CUevent written = nullptr;
  OK(cuIpcOpenEventHandle(&written, mark));
  const CUstream queue = stream();
  OK(cuStreamWaitEvent(queue, written, 0));
  CHECK(read(pointer, size, queue) == counting(size, 3));
  // Answers in the same memory. The record is this process's, and pending until the other process
  // requests it.
  OK(cuMemsetD8Async(pointer + 100, 0x77, size - 100, queue));
  OK(cuEventRecord(written, queue));
  send(STDOUT_FILENO, 'r');
  EQUAL(receive<char>(STDIN_FILENO), 'q');
  OK(cuIpcCloseMemHandle(pointer));
  OK(cuMemsetD8Async(pointer, 1, 1, queue));  // opened twice
  Gate& gate = hold(stream());
  {
    Elsewhere closing([=] { return cuIpcCloseMemHandle(pointer); });
    const bool waited = closing.waits();
    const CUdeviceptr again = opened(memory);  // not blocked by the one that waits
    CHECK(again != pointer);
    EQUAL(simcuda_live("allocations"), 2ul);
    gate.open();
    CHECK(waited);
    OK(closing.result());
    OK(cuIpcCloseMemHandle(again));
  }
  FAILS(cuMemsetD8Async(pointer, 1, 1, queue), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuIpcCloseMemHandle(pointer), CUDA_ERROR_INVALID_VALUE);
  EQUAL(simcuda_live("allocations"), 0ul);
  EQUAL(simcuda_live("events"), 1ul);
  OK(cuEventDestroy_v2(written));
  EQUAL(simcuda_live("events"), 0ul);
  CHECK(event() == written);  // the handle of an opened event is also reused
  std::exit(0);
}

CASE_EVERY_SCHEDULE("ipc: two processes share memory, ordered by an event that both record") {
  use_device();
  Child child("program: opens memory and events");
  const CUdeviceptr pointer = device_memory(size);
  const Bytes bytes = counting(size, 3);
  const CUevent written = shared_event();
  const CUstream queue = stream();
  OK(cuMemcpyHtoDAsync_v2(pointer, bytes.data(), size, queue));
  OK(cuEventRecord(written, queue));
  send(child.to, handle_of(pointer + 40));  // refers to the whole allocation
  send(child.to, handle_of(written));
  EQUAL(receive<char>(child.from), 'r');
  OK(cuStreamWaitEvent(queue, written, 0));
  const Bytes after = read(pointer, size, queue);
  EQUAL(static_cast<int>(after[99]), static_cast<int>(bytes[99]));
  EQUAL(static_cast<int>(after[100]), 0x77);
  EQUAL(static_cast<int>(after[size - 1]), 0x77);
  OK(cuEventSynchronize(written));
  send(child.to, 'q');
  EQUAL(child.end(), 0);
}

PROGRAM("program: opens and is left alone") {
  use_device();
  const CUdeviceptr pointer = opened(receive<CUipcMemHandle>(STDIN_FILENO));
  send(STDOUT_FILENO, 'o');
  EQUAL(receive<char>(STDIN_FILENO), 'f');  // the other process freed it
  read(pointer, size, nullptr);             // arbitrary bytes
  CUdeviceptr again = 0;
  const auto stale = receive<CUipcMemHandle>(STDIN_FILENO);
  FAILS(cuIpcOpenMemHandle_v2(&again, stale, 1), CUDA_ERROR_INVALID_VALUE);
  std::exit(0);
}

CASE("ipc: freeing what another process has open harms nobody, and its handle is stale") {
  use_device();
  Child child("program: opens and is left alone");
  const CUdeviceptr pointer = device_memory(size);
  const CUipcMemHandle handle = handle_of(pointer);
  send(child.to, handle);
  EQUAL(receive<char>(child.from), 'o');
  OK(cuMemFree_v2(pointer));
  send(child.to, 'f');
  send(child.to, handle);
  EQUAL(child.end(), 0);
}

PROGRAM("program: waits for an event") {
  use_device();
  CUevent mark = nullptr;
  OK(cuIpcOpenEventHandle(&mark, receive<CUipcEventHandle>(STDIN_FILENO)));
  send(STDOUT_FILENO, 'o');
  OK(cuEventSynchronize(mark));
  int looks = 0;
  while (cuEventQuery(mark) == CUDA_ERROR_NOT_READY) ++looks;
  std::exit(looks == 0 ? 0 : 1);
}

PROGRAM("program: records and ends") {
  use_device();
  const CUevent mark = shared_event();
  send(STDOUT_FILENO, handle_of(mark));
  const CUstream queue = stream();
  OK(cuMemsetD8Async(device_memory(8), 1, 8, queue));
  OK(cuEventRecord(mark, queue));
  send(STDOUT_FILENO, 'r');
  receive<char>(STDIN_FILENO);
  _exit(0);
}

CASE_EVERY_SCHEDULE("ipc: waiting for a process that ended does not hang") {
  use_device();
  Child child("program: records and ends");
  CUevent mark = nullptr;
  OK(cuIpcOpenEventHandle(&mark, receive<CUipcEventHandle>(child.from)));
  EQUAL(receive<char>(child.from), 'r');
  const CUstream queue = stream();
  OK(cuStreamWaitEvent(queue, mark, 0));
  send(child.to, 'e');
  EQUAL(child.end(), 0);
  OK(cuStreamSynchronize(queue));
}

CASE_EVERY_SCHEDULE(
    "ipc: an event recorded before it was shared, and never recorded, can be waited for") {
  use_device();
  const CUstream queue = stream();
  for (const bool recorded : {true, false}) {
    Child child("program: waits for an event");
    const CUevent mark = shared_event();
    OK(cuMemsetD8Async(device_memory(8), 1, 8, queue));
    if (recorded) OK(cuEventRecord(mark, queue));
    send(child.to, handle_of(mark));
    EQUAL(receive<char>(child.from), 'o');
    EQUAL(child.end(), 0);
    OK(cuEventQuery(mark));
    OK(cuEventDestroy_v2(mark));
  }
}

CASE_EVERY_SCHEDULE("ipc: more than 64 pending records of a shared event") {
  use_device();
  const CUevent mark = shared_event();
  handle_of(mark);
  const CUstream queue = stream();
  const CUdeviceptr pointer = device_memory(8);
  for (int round = 0; round < 200; ++round) {
    OK(cuMemsetD8Async(pointer, static_cast<unsigned char>(round), 8, queue));
    OK(cuEventRecord(mark, queue));
  }
  OK(cuEventSynchronize(mark));
  OK(cuEventQuery(mark));
  CHECK(read(pointer, 8, stream()) == Bytes(8, 199));
}

CASE("ipc: what cannot be shared is refused") {
  use_device();
  CUipcMemHandle handle{};
  CUdeviceptr managed = 0;
  OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  const auto pinned = reinterpret_cast<CUdeviceptr>(pinned_memory(64));
  FAILS(cuIpcGetMemHandle(&handle, managed), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuIpcGetMemHandle(&handle, pinned), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuIpcGetMemHandle(&handle, 4096), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuIpcGetMemHandle(nullptr, device_memory(8)), CUDA_ERROR_INVALID_VALUE);
  CUipcEventHandle mark{};
  FAILS(cuIpcGetEventHandle(&mark, event()), CUDA_ERROR_INVALID_HANDLE);
  CUevent bad = nullptr;
  FAILS(cuEventCreate(&bad, CU_EVENT_INTERPROCESS), CUDA_ERROR_INVALID_VALUE);
}

CASE("ipc: a handle of this process, and one that was changed, are refused") {
  use_device();
  CUdeviceptr pointer = 0;
  const CUipcMemHandle good = handle_of(device_memory(64));
  FAILS(cuIpcOpenMemHandle_v2(&pointer, good, 1), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuIpcOpenMemHandle_v2(&pointer, good, 0), CUDA_ERROR_INVALID_VALUE);
  for (std::size_t byte = 0; byte < sizeof good.reserved; ++byte) {
    CUipcMemHandle forged = good;
    forged.reserved[byte] = static_cast<char>(forged.reserved[byte] ^ 0x40);
    FAILS(cuIpcOpenMemHandle_v2(&pointer, forged, 1), CUDA_ERROR_INVALID_VALUE);
  }
  CUevent mark = nullptr;
  CUipcEventHandle event_handle = handle_of(shared_event());
  FAILS(cuIpcOpenEventHandle(&mark, event_handle), CUDA_ERROR_INVALID_CONTEXT);
  std::memcpy(&event_handle, &good, sizeof good);  // memory is not an event
  FAILS(cuIpcOpenEventHandle(&mark, event_handle), CUDA_ERROR_INVALID_VALUE);
}
