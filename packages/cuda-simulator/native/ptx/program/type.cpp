#include "type.hpp"

#include <array>

namespace array_interface::cuda_simulator::ptx {
namespace {

struct Entry {
  std::string_view name;
  Type type;
  std::size_t size;
};

constexpr std::array<Entry, 19> entries{{
    {"pred", Type::pred, 1},     {"b8", Type::b8, 1},   {"b16", Type::b16, 2},
    {"b32", Type::b32, 4},       {"b64", Type::b64, 8}, {"u8", Type::u8, 1},
    {"u16", Type::u16, 2},       {"u32", Type::u32, 4}, {"u64", Type::u64, 8},
    {"s8", Type::s8, 1},         {"s16", Type::s16, 2}, {"s32", Type::s32, 4},
    {"s64", Type::s64, 8},       {"f16", Type::f16, 2}, {"bf16", Type::bf16, 2},
    {"f32", Type::f32, 4},       {"f64", Type::f64, 8}, {"f16x2", Type::f16x2, 4},
    {"bf16x2", Type::bf16x2, 4},
}};

}  // namespace

Type type_named(std::string_view name) {
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry.type;
  }
  return Type::none;
}

std::size_t size_of(Type type) {
  for (const Entry& entry : entries) {
    if (entry.type == type) return entry.size;
  }
  return 0;
}

bool is_float(Type type) { return type >= Type::f16; }

}  // namespace array_interface::cuda_simulator::ptx
