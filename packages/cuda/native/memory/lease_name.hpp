#pragma once

#include <cstddef>

namespace array_interface::cuda {

/// The name of a lease's file, by which an opener recognises it. The system puts `/memfd:` before
/// it.
inline constexpr char kLeaseName[] = "array-interface lease";

/// Most bytes that openers read: room for the tickets of a million views.
inline constexpr std::size_t kLongestLease = std::size_t{1} << 26;

}  // namespace array_interface::cuda
