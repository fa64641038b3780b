#pragma once

/// Each runs the checks of the file that is named for it.
void check_order();
void check_block_table();
void check_cache();
void check_looks();
void check_caching_allocator();
