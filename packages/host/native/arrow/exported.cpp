#include "arrow/exported.hpp"

#include <array>
#include <utility>

namespace array_interface {

namespace {

/// What a struct points to. A consumer may move the child out of its parent and keep it longer, so
/// that each struct has one of its own.
struct SchemaParts {
  std::string format;
  ArrowSchema child{};
  std::array<ArrowSchema*, 1> children{&child};
};

struct ArrayParts {
  std::shared_ptr<void> memory;
  std::array<const void*, 2> buffers{};
  ArrowArray child{};
  std::array<ArrowArray*, 1> children{&child};
};

/// Releases the child unless the consumer has moved it, then what the struct points to.
template <class Parts, class Struct>
void Release(Struct* released) {
  auto* const parts = static_cast<Parts*>(released->private_data);
  if (parts->child.release != nullptr) parts->child.release(&parts->child);
  released->release = nullptr;
  delete parts;
}

extern "C" {

void ReleaseSchema(ArrowSchema* schema) { Release<SchemaParts>(schema); }
void ReleaseArray(ArrowArray* array) { Release<ArrayParts>(array); }

}  // extern "C"

ArrowSchema SchemaOf(const ColumnLevel& level, ArrowSchema* child) {
  auto parts = std::make_unique<SchemaParts>();
  parts->format = level.format;
  if (child != nullptr) parts->child = std::exchange(*child, {});
  ArrowSchema schema{};
  schema.format = parts->format.c_str();
  schema.name = "";
  schema.flags = ARROW_FLAG_NULLABLE;  // whether or not there are nulls, as libraries have it
  schema.n_children = child != nullptr ? 1 : 0;
  schema.children = child != nullptr ? parts->children.data() : nullptr;
  schema.release = ReleaseSchema;
  schema.private_data = parts.release();
  return schema;
}

ArrowArray ArrayOf(const ColumnLevel& level, const std::shared_ptr<void>& memory,
                   ArrowArray* child) {
  auto parts = std::make_unique<ArrayParts>();
  parts->memory = memory;
  parts->buffers = {level.validity, level.values};
  if (child != nullptr) parts->child = std::exchange(*child, {});
  ArrowArray array{};
  array.length = level.length;
  array.null_count = level.validity != nullptr ? -1 : 0;  // -1: to be counted by whoever needs it
  array.n_buffers = child != nullptr ? 1 : 2;
  array.buffers = parts->buffers.data();
  array.n_children = child != nullptr ? 1 : 0;
  array.children = child != nullptr ? parts->children.data() : nullptr;
  array.release = ReleaseArray;
  array.private_data = parts.release();
  return array;
}

/// Releases what was made so far if a later allocation fails.
template <class Struct>
struct Unfinished {
  Struct made{};
  ~Unfinished() {
    if (made.release != nullptr) made.release(&made);
  }
  Struct* child() { return made.release != nullptr ? &made : nullptr; }
};

}  // namespace

void WriteColumn(const std::vector<ColumnLevel>& levels, const std::shared_ptr<void>& memory,
                 ArrowSchema* schema, ArrowArray* array) {
  Unfinished<ArrowSchema> schemas;
  Unfinished<ArrowArray> arrays;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    schemas.made = SchemaOf(*level, schemas.child());
    arrays.made = ArrayOf(*level, memory, arrays.child());
  }
  *schema = std::exchange(schemas.made, {});
  *array = std::exchange(arrays.made, {});
}

}  // namespace array_interface
