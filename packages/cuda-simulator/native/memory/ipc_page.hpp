#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace array_interface::cuda_simulator {

/// Identifies a process, even if a later one has the same number.
struct ProcessName {
  std::int64_t number = 0;
  std::uint64_t started = 0;  ///< in clock ticks since boot

  bool operator==(const ProcessName& other) const {
    return number == other.number && started == other.started;
  }
};

ProcessName this_process();

/// Whether the process is still running. A zombie is not.
bool is_alive(const ProcessName& process);

/// An allocation that other processes may open.
struct MemorySlot {
  std::atomic<std::uint64_t> id;  ///< of the allocation; 0: free
  std::uint64_t offset;           ///< in `file`
  std::uint64_t size;             ///< bytes asked for
  std::int32_t file;              ///< descriptor in the process of the page
  std::int32_t device;
};

/// One record of an event: the process of its stream, and its progress.
struct RecordSlot {
  std::atomic<std::uint64_t> number;  ///< counts the event's records from 1
  std::atomic<std::uint64_t> started;
  std::atomic<std::int64_t> process;
  std::atomic<std::uint32_t> wanted;  ///< a process waits for it: a lazy process runs it now
  std::atomic<std::uint32_t> done;
};

/// An event that other processes may open, record and wait for.
struct EventSlot {
  static constexpr std::size_t records_kept = 64;
  std::atomic<std::uint64_t> id;    ///< 0: free
  std::atomic<std::uint64_t> next;  ///< number of the last record that was begun
  std::atomic<std::uint64_t> last;  ///< number of the last record that is complete
  RecordSlot records[records_kept];
};

/// What a process shows to others: a file that they map. Initially zero.
struct IpcPage {
  static constexpr std::size_t memory_slots = 8192;
  static constexpr std::size_t event_slots = 1024;
  std::uint64_t magic;
  std::uint64_t secret;  ///< random, so that handles of the process's earlier lives never match
  ProcessName owner;
  std::atomic<std::uint32_t> doorbell;  ///< counts changes of any event; waited for as a futex
  MemorySlot memory[memory_slots];
  EventSlot events[event_slots];
};

/// The 64 bytes of a handle.
struct IpcHandle {
  enum class What : std::uint32_t { memory = 1, event = 2 };
  std::uint64_t magic = 0;
  std::uint64_t secret = 0;
  ProcessName owner;
  std::int32_t page_file = 0;
  What what = What::memory;
  std::uint64_t slot = 0;
  std::uint64_t id = 0;
  std::uint64_t check = 0;  ///< of all before
};
static_assert(sizeof(IpcHandle) == 64, "as large as the driver's, without gaps");

/// Returns the page of this process, which is created on first use. Throws Failure OUT_OF_MEMORY.
IpcPage& own_page();

/// Returns a handle to a slot of this process's page.
IpcHandle make_handle(IpcHandle::What what, std::size_t slot, std::uint64_t id);

/// Returns the page of the process that made the handle. It stays mapped here. Throws Failure
/// INVALID_VALUE for bytes that are no such handle and if that process has ended, INVALID_CONTEXT
/// for a handle of this process.
IpcPage& page_of(const IpcHandle& handle, IpcHandle::What what);

/// Wakes all waiters on the page.
void ring(IpcPage& page);

/// Waits until the doorbell differs from `seen`, at most 20 ms.
void wait_for_ring(IpcPage& page, std::uint32_t seen);

}  // namespace array_interface::cuda_simulator
