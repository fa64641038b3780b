#pragma once

/// Each function runs the checks of the file of its name.
void check_order();
void check_block_table();
void check_cache();
void check_looks();
void check_caching_allocator();
