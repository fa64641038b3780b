#pragma once

#include <memory>
#include <vector>

#include "memory/cuda_memory.hpp"
#include "memory/work.hpp"

namespace array_interface::cuda {

/// The memories that work writes and reads, as listed by JavaScript. Throws ERR_TYPE, ERR_DISPOSED.
class ReadUses {
 public:
  ReadUses(const Napi::Value& written, const Napi::Value& read) {
    Add(written, Access::kWrite);
    Add(read, Access::kRead);
  }

  Uses get() { return {uses_.data(), uses_.size()}; }

 private:
  void Add(const Napi::Value& list, Access access) {
    if (!list.IsArray()) {
      Throw(list.Env(),
            {"ERR_TYPE", "memory", "expected a list of memories, got another value; pass an array",
             "", 0, ""});
    }
    const auto handles = list.As<Napi::Array>();
    for (std::uint32_t index = 0; index < handles.Length(); ++index) {
      memories_.push_back(LiveMemory(handles.Get(index), "memory"));
      uses_.push_back({&memories_.back()->ref(), access});
    }
  }

  std::vector<std::shared_ptr<CudaMemory>> memories_;
  std::vector<Use> uses_;
};

}  // namespace array_interface::cuda
