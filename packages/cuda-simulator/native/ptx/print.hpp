#pragma once

#include <cstdint>

namespace array_interface::cuda_simulator::ptx {

class Thread;

/// printf of the device: a format, and arguments that lie one after another, each aligned to its
/// size. Writes to stdout. Gives the number of arguments, or -1 for a format that it cannot read.
std::int32_t print_formatted(Thread& thread, std::uint64_t format, std::uint64_t arguments);

/// Writes to stderr what a failed assert of the device says.
void print_assertion(Thread& thread, std::uint64_t message, std::uint64_t file, std::uint32_t line,
                     std::uint64_t function);

}  // namespace array_interface::cuda_simulator::ptx
