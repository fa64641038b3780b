#pragma once

#include <cstddef>
#include <optional>

#include "reduction.hpp"

namespace array_interface {

/// Finds how a scan reads elements where they are, and writes results where they go. Nothing if it
/// computes either.
std::optional<PlainScan> FindPlainScan(const Reduction& reduction);

/// Runs such a scan on at most `threads` threads. Throws std::bad_alloc; then some is computed.
void RunPlainScan(const ReductionCall& call, std::size_t threads);

}  // namespace array_interface
