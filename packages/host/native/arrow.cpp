#include "arrow.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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
struct ExportedMemory {
  std::shared_ptr<void> memory;
  std::shared_ptr<void> producer;
};

std::vector<ColumnLevel> ReadLevels(const Napi::Value& value) {
  const auto list = value.As<Napi::Array>();
  std::vector<ColumnLevel> levels;
  levels.reserve(list.Length());
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    const auto level = list.Get(i).As<Napi::Object>();
    levels.push_back({ReadString(level.Get("format"), "format"),
                      ReadInteger(level.Get("length"), "length"),
                      ReadPointer(level.Get("validity"), "validity"),
                      ReadPointer(level.Get("values"), "values")});
  }
  return levels;
}

/// exportColumn(levels, lease, producer, schema, array): writes the structs at two addresses. They
/// keep what the lease keeps, and the producer's object as long as this environment lives; either
/// may be null. Does not check the addresses.
void ExportColumn(const Napi::CallbackInfo& info) {
  StayLoaded();
  const auto levels = ReadLevels(info[0]);
  auto kept = std::make_shared<ExportedMemory>();
  if (!info[1].IsNull()) {
    const auto lease = Handle<HostMemory>::Unwrap(info[1], "handle");
    kept->memory = lease->memory();
    lease->NoteGiven();
  }
  if (info[2].IsObject()) {
    kept->producer = HostAddon::Of(info.Env()).object_refs().Keep(info[2].As<Napi::Object>());
  }
  WriteColumn(levels, kept, ReadStruct<ArrowSchema>(info[3], "schema"),
              ReadStruct<ArrowArray>(info[4], "array"));
}

}  // namespace

void BindArrow(Napi::Object exports) {
  AddExports(exports, {
                          {"importColumn", kFunction<ImportColumn>},
                          {"exportColumn", kFunction<ExportColumn>},
                      });
}

}  // namespace array_interface
