#include "arrow.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "allocation.hpp"
#include "arrow/exported.hpp"
#include "arrow/imported.hpp"
#include "host_addon.hpp"
#include "host_memory.hpp"
#include "library/library.hpp"
#include "napi/argument.hpp"
#include "napi/exports.hpp"
#include "napi/handle.hpp"

namespace array_interface {

namespace {

template <class Struct>
Struct* ReadStruct(const Napi::Value& value, const char* path) {
  auto* const address = reinterpret_cast<Struct*>(ReadPointer(value, path));
  if (address != nullptr) return address;
  throw std::invalid_argument(std::string("expected the address of a struct as ") + path +
                              ", got 0; pass one that was allocated");
}

/// importColumn(schema, array): moves the structs at two addresses, and returns a lease on their
/// memory. Null if one of them was released before. Does not check the addresses.
Napi::Value ImportColumn(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto column = TakeColumn(ReadStruct<ArrowSchema>(info[0], "schema"),
                           ReadStruct<ArrowArray>(info[1], "array"));
  if (column == nullptr) return env.Null();
  return Handle<HostMemory>::Wrap(env, std::make_shared<HostMemory>(env, std::move(column), 0));
}

/// What the array structs of one column keep.
using Kept = std::vector<std::shared_ptr<void>>;

/// Returns the mask's bits: those at an address, or a copy of bytes, which is then kept.
const void* ReadBits(const Napi::Value& value, Kept& kept) {
  if (value.IsBigInt()) return reinterpret_cast<const void*>(ReadPointer(value, "bits"));
  const Bytes bytes = ReadBytes(value, "bits");
  auto copy = Allocation::Make(bytes.size);
  if (copy == nullptr) throw std::bad_alloc();
  auto* const data = reinterpret_cast<void*>(copy->address());
  std::memcpy(data, bytes.data, bytes.size);
  kept.push_back(std::move(copy));
  return data;
}

std::vector<ColumnLevel> ReadLevels(const Napi::Value& value, const void* bits) {
  const auto list = value.As<Napi::Array>();
  std::vector<ColumnLevel> levels;
  levels.reserve(list.Length());
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    const auto level = list.Get(i).As<Napi::Object>();
    levels.push_back({ReadString(level.Get("format"), "format"),
                      ReadInteger(level.Get("length"), "length"),
                      level.Get("isMasked").ToBoolean() ? bits : nullptr,
                      reinterpret_cast<const void*>(ReadPointer(level.Get("values"), "values"))});
  }
  return levels;
}

std::vector<std::shared_ptr<HostMemory>> ReadLeases(const Napi::Value& value) {
  const auto list = value.As<Napi::Array>();
  std::vector<std::shared_ptr<HostMemory>> leases;
  leases.reserve(list.Length());
  for (std::uint32_t i = 0; i < list.Length(); ++i)
    leases.push_back(Handle<HostMemory>::Unwrap(list.Get(i), "handle"));
  return leases;
}

/// exportColumn(levels, bits, leases, producers, schema, array): writes the structs at two
/// addresses. They keep what the leases keep, and the producers' objects as long as this
/// environment lives. Does not check the addresses.
void ExportColumn(const Napi::CallbackInfo& info) {
  StayLoaded();
  const auto leases = ReadLeases(info[2]);
  const auto producers = info[3].As<Napi::Array>();
  auto kept = std::make_shared<Kept>();
  for (const auto& lease : leases) kept->push_back(lease->memory());
  for (std::uint32_t i = 0; i < producers.Length(); ++i) {
    const Napi::Value producer = producers.Get(i);
    if (!producer.IsObject()) continue;
    kept->push_back(HostAddon::Of(info.Env()).object_refs().Keep(producer.As<Napi::Object>()));
  }
  const auto levels = ReadLevels(info[0], ReadBits(info[1], *kept));
  WriteColumn(levels, kept, ReadStruct<ArrowSchema>(info[4], "schema"),
              ReadStruct<ArrowArray>(info[5], "array"));
  for (const auto& lease : leases) lease->NoteGiven();
}

}  // namespace

void BindArrow(Napi::Object exports) {
  AddExports(exports, {
                          {"importColumn", kFunction<ImportColumn>},
                          {"exportColumn", kFunction<ExportColumn>},
                      });
}

}  // namespace array_interface
