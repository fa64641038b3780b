#pragma once

namespace array_interface::cuda {

/// The name of leases' files, by which an opener knows one; the system puts `/memfd:` before it.
inline constexpr char kLeaseName[] = "array-interface lease";

}  // namespace array_interface::cuda
