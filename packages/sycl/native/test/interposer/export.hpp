#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "test/interposer/calls/calls.hpp"
#include "test/interposer/world/fault.hpp"
#include "test/interposer/world/functions.hpp"
#include "test/interposer/world/world.hpp"

namespace array_interface::sycl::interposer {

/// Whether a function deletes a reference, by its name.
constexpr bool IsDelete(std::string_view name) {
  constexpr std::string_view kEnd = "Delete";
  return name.size() >= kEnd.size() && name.substr(name.size() - kEnd.size()) == kEnd;
}

/// A function that only calls the real library's.
template <class Table, class Member>
struct Forward;

template <class Table, class Result, class... Arguments>
struct Forward<Table, Result (*Table::*)(Arguments...)> {
  template <Result (*Table::*member)(Arguments...)>
  static Result Call(Arguments... arguments) {
    static_assert(!std::is_same_v<Result, void*>,
                  "this function gives a reference, which has to be counted: write it in Calls");
    const Table* table = nullptr;
    if constexpr (std::is_same_v<Table, UsedFunctions>) {
      table = &real();
    } else {
      table = &more();
    }
    const auto result = [&] { return (table->*member)(arguments...); };
    if constexpr (std::is_same_v<Result, const char*>) {
      const char* text = result();
      Visit()->references.Add(Kind::kText, text, kFirst);
      return text;
    } else {
      return result();
    }
  }
};

}  // namespace array_interface::sycl::interposer

/// Exports DPCTL##Name: Calls::Name if it exists, or else a Forward to Table::Name, unless a
/// failure of the call is planned. An indirect function, because the table's parameters have no
/// names with which to write a definition.
#define ARRAY_INTERFACE_EXPORT(Table, Result, Name, Parameters)                               \
  namespace {                                                                                 \
  using Type_##Name = Result(*) Parameters;                                                   \
  struct Name_##Name {                                                                        \
    static constexpr const char* kText = #Name;                                               \
  };                                                                                          \
  template <class Own>                                                                        \
  constexpr auto Choose_##Name(int) -> decltype(&Own::Name) {                                 \
    return &Own::Name;                                                                        \
  }                                                                                           \
  template <class Own>                                                                        \
  constexpr Type_##Name Choose_##Name(...) {                                                  \
    static_assert(std::is_class_v<Own> && !IsDelete(#Name),                                   \
                  "this function takes a reference back: write it in Calls");                 \
    return &Forward<Table, Type_##Name Table::*>::template Call<&Table::Name>;                \
  }                                                                                           \
  }                                                                                           \
  extern "C" {                                                                                \
  [[gnu::used]] static Type_##Name Resolve_##Name() {                                         \
    static_assert(std::is_same_v<decltype(Choose_##Name<Calls>(0)), Type_##Name>,             \
                  "the function in Calls has other parameters");                              \
    return &Failing<Name_##Name, Choose_##Name<Calls>(0)>::Call;                              \
  }                                                                                           \
  [[gnu::visibility("default"), gnu::ifunc("Resolve_" #Name)]] Result DPCTL##Name Parameters; \
  }
