#pragma once

namespace array_interface::cuda_simulator {

struct Context;

/// Registers a report on stderr, when the process exits, of what the program did not release. May
/// be called repeatedly.
void report_leaks_at_exit();

/// Counts what the end of a context frees on the program's behalf.
void note_lost_with(const Context& context);

}  // namespace array_interface::cuda_simulator
