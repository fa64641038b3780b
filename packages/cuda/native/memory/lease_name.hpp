#pragma once

#include <cstddef>

namespace array_interface::cuda {

/// The name of leases' files, by which an opener knows one; the system puts `/memfd:` before it.
inline constexpr char kLeaseName[] = "array-interface lease";

/// What openers read of one: room for the tickets of a million views.
inline constexpr std::size_t kLongestLease = std::size_t{1} << 26;

}  // namespace array_interface::cuda
