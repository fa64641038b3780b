#pragma once

#include <cstddef>
#include <string>

namespace array_interface::cuda_simulator {

/// Creates a memory file that other processes can open. Its name marks it as the simulator's, and
/// contains its purpose. The caller closes it. Returns -1 if the system has no memory or no such
/// files.
int make_shared_file(const std::string& what, std::size_t size);

/// Whether a descriptor of this process is such a file.
bool is_shared_file(int file, const std::string& what);

/// Opens a descriptor that another process holds if it is such a file; otherwise returns -1. The
/// caller closes it.
int open_shared_file(long process, int file, const std::string& what);

}  // namespace array_interface::cuda_simulator
