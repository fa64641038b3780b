#pragma once

#include <cstddef>
#include <functional>

namespace array_interface {

/// Calls `work(index)` for each index below `count`, on as many threads: the calling one, and
/// others that it starts and that have ended when this returns. Where the system gives fewer, those
/// do all the work. Rethrows what `work` threw, when everything else is done.
void on_threads(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace array_interface
