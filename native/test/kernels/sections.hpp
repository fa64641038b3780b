#pragma once

/// Each function runs the checks of the file of its name.
void check_strided_copy();
void check_tiling();
void check_launch();
void check_copy();
void check_rounding();
void check_explain();
void check_pieces();
void check_on_threads();
void check_grid();
void check_registry();
void check_row_copy();
void check_tile_copy();
void check_block_copy();
