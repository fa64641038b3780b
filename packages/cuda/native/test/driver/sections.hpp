#pragma once

/// Kernels are compiled once, whoever requests them. `loads` returns how many modules were loaded.
void check_kernels(int (*loads)());
