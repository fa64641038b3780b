#include "async_error.hpp"

#include <utility>

namespace array_interface::sycl {

namespace {
thread_local int noted = 0;
constexpr int kWithoutCode = -1;
}  // namespace

void NoteAsyncError(int code) { noted = code == 0 ? kWithoutCode : code; }

int TakeAsyncError() { return std::exchange(noted, 0); }

}  // namespace array_interface::sycl
