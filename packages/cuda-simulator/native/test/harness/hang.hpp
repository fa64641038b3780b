#pragma once

namespace test {

/// After how many seconds a program hangs. Under a sanitizer on a busy machine one that does not
/// may take more than 30.
inline constexpr unsigned hang_seconds = 240;

}  // namespace test
