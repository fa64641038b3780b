#pragma once

namespace array_interface::cuda_simulator {

struct Context;

/// Has what the program left behind printed on stderr when the process exits. May be called
/// repeatedly.
void report_leaks_at_exit();

/// Counts what the end of a context frees for the program.
void note_lost_with(const Context& context);

}  // namespace array_interface::cuda_simulator
