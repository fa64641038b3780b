#pragma once

/// Each function runs the checks of the file of its name.
void check_gate();
void check_poller();
void check_ticket_table();
