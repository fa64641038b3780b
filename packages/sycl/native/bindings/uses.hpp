#pragma once

#include <memory>
#include <vector>

#include "driver/context_device.hpp"
#include "memory/sycl_memory.hpp"
#include "memory/work.hpp"
#include "napi/handle.hpp"

namespace array_interface::sycl {

/// The memories that work on a queue writes and reads, as JavaScript lists them. Throws ERR_TYPE,
/// ERR_DISPOSED, and ERR_NOT_ACCESSIBLE for memory of another context than the queue's.
class ReadUses {
 public:
  ReadUses(const ContextDevice& context_device, const Napi::Value& written,
           const Napi::Value& read) {
    Add(context_device, written, Access::kWrite);
    Add(context_device, read, Access::kRead);
  }

  Uses get() { return {uses_.data(), uses_.size()}; }

 private:
  void Add(const ContextDevice& context_device, const Napi::Value& list, Access access) {
    if (!list.IsArray()) {
      throw SyclError("ERR_TYPE", "memory", "expected a list of memories, got another value");
    }
    const auto handles = list.As<Napi::Array>();
    for (std::uint32_t index = 0; index < handles.Length(); ++index) {
      memories_.push_back(Handle<SyclMemory>::Unwrap(handles.Get(index), "memory"));
      SyclMemory& memory = *memories_.back();
      uses_.push_back({&memory.ref(), access});
      if (memory.context_device()->SharesContext(context_device)) continue;
      throw SyclError(
          "ERR_NOT_ACCESSIBLE", "memory",
          "expected memory that the queue on " + context_device.selector +
              " can access, got memory of another context; name a queue of its context");
    }
  }

  std::vector<std::shared_ptr<SyclMemory>> memories_;
  std::vector<Use> uses_;
};

}  // namespace array_interface::sycl
