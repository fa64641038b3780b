#pragma once

#include <memory>
#include <optional>

#include "arrays/held_array.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// What a class has of DLPack's C exchange API.
struct Exchange {
  /// Null if there is none that this library can use.
  const DLPackExchangeAPI* table = nullptr;
  /// The version of the newest table, if none is of version 1.
  std::optional<DLPackVersion> other_version;
};

/// Reads the value of a class's `__dlpack_c_exchange_api__`, null if it has none. This library's
/// own table does not count: its arrays have a dict, which tells more. Throws ERR_TYPE. The thread
/// must be attached.
Exchange ExchangeIn(Napi::Env env, PyObject* attribute);

/// Imports an object's array by the table of its class. Work on CUDA memory is ordered by the
/// current stream of the object's library. Null for oneAPI memory, whose queue no table tells, and,
/// with a Python exception set, if the library refuses to export it. Throws PythonError, ERR_TYPE,
/// ERR_VERSION. The thread must be attached.
std::unique_ptr<HeldArray> FromExchange(Napi::Env env, PyObject* object,
                                        const DLPackExchangeAPI& table);

/// Throws ERR_VERSION for tables of other versions only.
[[noreturn]] void RefuseVersion(Napi::Env env, DLPackVersion version);

}  // namespace array_interface
