#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "napi/setup.hpp"

namespace array_interface {

/// Bytes that V8 is told of: once for each allocation and environment, however many leases of the
/// environment keep it. V8 collects garbage when they have grown.
class ReportedBytes {
 public:
  /// Returns the report of an environment about memory, which is made if there is none.
  static std::shared_ptr<ReportedBytes> Of(napi_env env, const void* memory, std::size_t size);

  ReportedBytes(const ReportedBytes&) = delete;
  ReportedBytes& operator=(const ReportedBytes&) = delete;
  ~ReportedBytes();

 private:
  ReportedBytes(napi_env env, const void* memory, std::size_t size);

  napi_env env_;
  const void* memory_;
  std::int64_t size_;
};

}  // namespace array_interface
