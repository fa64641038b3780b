#pragma once

#include "capsule/abi.hpp"

namespace array_interface {

/// The attribute of a class with DLPack's C exchange API.
constexpr const char* kExchangeAttribute = "__dlpack_c_exchange_api__";

/// This library's own table, which its classes share.
extern const DLPackExchangeAPI own_exchange;

}  // namespace array_interface
