#pragma once

#include <memory>

#include "napi/handle.hpp"
#include "place.hpp"

namespace array_interface::sycl {

/// {place, id, device, selector} of a place, with a handle of it.
inline Napi::Object DescribePlace(Napi::Env env, const std::shared_ptr<Place>& place) {
  auto described = Napi::Object::New(env);
  described["id"] = static_cast<double>(place->id);
  described["device"] = static_cast<double>(place->device);
  described["selector"] = place->selector;
  described["place"] = Handle<Place>::Wrap(env, place);
  return described;
}

}  // namespace array_interface::sycl
