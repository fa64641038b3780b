#pragma once

/// Each runs the checks of the file that is named for it.
void check_gate();
void check_poller();
