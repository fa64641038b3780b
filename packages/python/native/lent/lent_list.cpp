#include "lent/lent_list.hpp"

#include <utility>

#include "napi/failure.hpp"

namespace array_interface {

void LentList::Add(std::shared_ptr<Lent> lent, napi_value buffer) {
  lent_.push_back({std::move(lent), buffer});
}

std::size_t LentList::Enter() { return std::exchange(base_, lent_.size()); }

std::vector<napi_value> LentList::Keep(ObjectRefs& refs) {
  std::vector<napi_value> buffers;
  for (std::size_t i = base_; i < lent_.size(); i++) {
    const Entry& entry = lent_[i];
    if (entry.is_dropped()) continue;
    entry.lent->kept = refs.Keep(Napi::Object(refs.env(), entry.buffer));
    buffers.push_back(entry.buffer);
  }
  lent_.resize(base_);
  return buffers;
}

void LentList::CheckAttached(Napi::Env env) const {
  for (std::size_t i = base_; i < lent_.size(); i++) {
    bool is_detached = false;
    if (lent_[i].is_dropped()) continue;
    napi_is_detached_arraybuffer(env, lent_[i].buffer, &is_detached);
    if (!is_detached) continue;
    Throw(env, {"ERR_DISPOSED", "",
                "expected a buffer that stays until the call begins, got one that a getter among "
                "the arguments detached; read the arguments first",
                "", 0, ""});
  }
}

}  // namespace array_interface
