#pragma once

#include <functional>
#include <string>
#include <vector>

namespace array_interface::cuda_simulator {

/// Writes "cuda-simulator: TEXT" on stderr, keeps TEXT, and tells the listeners. Never fails: drops
/// what it cannot write.
void notice(const std::string& text) noexcept;

/// Returns how many notices there were.
unsigned notice_count();

/// Returns the notices from number `next` on, as far as they are kept, and sets `next` behind the
/// last.
std::vector<std::string> notices_from(unsigned& next);

/// Calls a function with each notice, on the thread that it comes from. Returns a number, not 0.
unsigned listen_to_notices(std::function<void(const std::string&)> listener);

/// Returns false for a number of no listener.
bool stop_listening(unsigned listener);

}  // namespace array_interface::cuda_simulator
