#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/driver_api.hpp"
#include "base/notice.hpp"
#include "driver/call.hpp"

// What the simulator writes on stderr, as the driver's own error log.

using namespace array_interface::cuda_simulator;

namespace {

/// Joins the lines from the iterator on, and moves it behind the last.
std::string take_lines(unsigned* iterator) {
  std::string text;
  unsigned next = iterator == nullptr ? 0 : *iterator;
  for (const std::string& line : notices_from(next)) text += line + "\n";
  if (iterator != nullptr) *iterator = next;
  return text;
}

}  // namespace

CUresult cuLogsRegisterCallback(CUlogsCallback function, void* user_data,
                                CUlogsCallbackHandle* handle) {
  return driver_value(__func__, handle, [&] {
    require(function != nullptr);
    constexpr int error_level = 0;
    const unsigned number = listen_to_notices([function, user_data](const std::string& line) {
      std::string text = line;
      function(user_data, error_level, text.data(), text.size());
    });
    return reinterpret_cast<CUlogsCallbackHandle>(static_cast<std::uintptr_t>(number));
  });
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
  return driver_call(__func__, [&] {
    require(stop_listening(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(handle))));
  });
}

CUresult cuLogsCurrent(unsigned* iterator, unsigned flags) {
  return driver_value(__func__, iterator, [&] {
    require(flags == 0);
    return notice_count();
  });
}

CUresult cuLogsDumpToFile(unsigned* iterator, const char* path, unsigned flags) {
  return driver_call(__func__, [&] {
    require(path != nullptr && flags == 0);
    std::FILE* const file = std::fopen(path, "w");
    require(file != nullptr, CUDA_ERROR_OPERATING_SYSTEM);
    const std::string text = take_lines(iterator);
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    require(std::fclose(file) == 0 && is_written, CUDA_ERROR_OPERATING_SYSTEM);
  });
}

/// If the buffer is too small, it gets the end of the log.
CUresult cuLogsDumpToMemory(unsigned* iterator, char* buffer, std::size_t* size, unsigned flags) {
  return driver_call(__func__, [&] {
    require(buffer != nullptr && size != nullptr && *size != 0 && flags == 0);
    const std::string text = take_lines(iterator);
    const std::size_t length = std::min(text.size(), *size - 1);
    std::memcpy(buffer, text.data() + text.size() - length, length);
    buffer[length] = '\0';
    *size = length + 1;
  });
}
