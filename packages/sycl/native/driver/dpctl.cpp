#include "dpctl.hpp"

namespace array_interface::sycl {

std::vector<std::string> Dpctl::Bind(const Library& library) {
  std::vector<std::string> missing;
  const auto bind = [&](auto& function) {
    void* symbol = library.Symbol(function.name());
    if (symbol == nullptr) missing.emplace_back(function.name());
    function.Bind(symbol);
  };
#define ARRAY_INTERFACE_DPCTL_BIND(Result, Name, Parameters) bind(Name);
  ARRAY_INTERFACE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_DPCTL_BIND)
#undef ARRAY_INTERFACE_DPCTL_BIND
  return missing;
}

std::string Dpctl::TakeString(const char* text) const {
  if (text == nullptr) return "";
  std::string copy(text);
  CString_Delete(text);
  return copy;
}

}  // namespace array_interface::sycl
