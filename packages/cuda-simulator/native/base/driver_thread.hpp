#pragma once

#include <functional>

namespace array_interface::cuda_simulator {

/// Starts a thread of the simulator: detached, with all signals blocked. Throws std::system_error
/// if it cannot start.
void start_driver_thread(std::function<void()> body);

/// Runs `function` as a host function on the calling thread, which must be the simulator's. Driver
/// calls are refused meanwhile.
void run_as_host_function(const std::function<void()>& function);

/// Whether the calling thread is inside a host function.
bool in_host_function();

}  // namespace array_interface::cuda_simulator
