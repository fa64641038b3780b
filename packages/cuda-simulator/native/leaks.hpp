#pragma once

namespace array_interface::cuda_simulator {

struct Context;

/// Prints on stderr, when the process exits, what the program left behind. May be called
/// repeatedly.
void report_leaks_at_exit();

/// Counts what the end of a context frees in place of the program.
void note_lost_with(const Context& context);

}  // namespace array_interface::cuda_simulator
