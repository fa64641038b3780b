#include "values/place.hpp"

#include <algorithm>
#include <cctype>

#include "napi/failure.hpp"

namespace array_interface {

namespace {

constexpr std::size_t kShownSteps = 8;
constexpr std::size_t kShownCharacters = 40;

bool IsName(const std::string& key) {
  const auto fits = [](unsigned char one) {
    return std::isalnum(one) != 0 || one == '_' || one == '$';
  };
  return !key.empty() && std::isdigit(static_cast<unsigned char>(key[0])) == 0 &&
         std::all_of(key.begin(), key.end(), fits);
}

std::string Step(Napi::Env env, napi_value key) {
  if (!Napi::Value(env, key).IsString()) return "[…]";
  std::string text = Napi::String(env, key).Utf8Value();
  if (text.size() > kShownCharacters) return "[…]";
  return IsName(text) ? "." + text : "[\"" + text + "\"]";
}

}  // namespace

std::string ValuePath::Text(Napi::Env env) const {
  if (parent_ == nullptr) return root_;
  if (depth_ > kShownSteps) {
    const ValuePath* place = this;
    while (place->depth_ > kShownSteps) place = place->parent_;
    return place->Text(env) + "…";
  }
  const std::string before = parent_->Text(env);
  if (key_ == nullptr) return before + "[" + std::to_string(index_) + "]";
  const std::string step = Step(env, key_);
  return before.empty() && step[0] == '.' ? step.substr(1) : before + step;
}

void Refuse(Napi::Env env, const ValuePath& place, const std::string& message) {
  Throw(env, {"ERR_TYPE", place.Text(env), message, "", 0, ""});
}

}  // namespace array_interface
