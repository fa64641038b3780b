#pragma once

#include <optional>

#include "interpreter/reference.hpp"

namespace array_interface {

// Instants of Python's `datetime`. The thread must be attached.

/// The first and last millisecond since 1970 that a datetime can be: those of the years 1 and 9999.
constexpr double kFirstInstant = -62135596800000, kLastInstant = 253402300799999;

/// True for an instance of one of the classes of `datetime`: "datetime", "date", "time",
/// "timedelta". Never imports the module: without it there is no such object.
bool IsOfDatetime(PyObject* object, const char* class_name);

/// Milliseconds since 1970, rounded down, of a datetime with a zone. Null, with an exception set,
/// if Python raised one; nullopt for a datetime without a zone, and for pandas.NaT.
std::optional<Reference> MillisecondsOf(PyObject* datetime);

/// A datetime in UTC. Null, with an exception set, if Python raised one.
Reference InstantInUtc(double milliseconds);

}  // namespace array_interface
