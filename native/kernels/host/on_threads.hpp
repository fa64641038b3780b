#pragma once

#include <cstddef>
#include <functional>

namespace array_interface {

/// Calls `work(index)` for each index below `count`, on as many threads. Uses the calling thread
/// and others that it starts; these have ended when it returns. If the system cannot start as many,
/// the threads that there are do all the work. Rethrows an exception of `work` once everything else
/// is done.
void on_threads(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace array_interface
