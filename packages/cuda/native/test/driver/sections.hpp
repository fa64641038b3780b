#pragma once

/// Kernels are compiled once, whoever asks for them; `loads` is how many modules the driver loaded.
void check_kernels(int (*loads)());
