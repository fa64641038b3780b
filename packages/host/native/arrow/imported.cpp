#include "arrow/imported.hpp"

#include "library/library.hpp"

namespace array_interface {

namespace {

/// A struct that this library has moved out of its place.
template <class Struct>
class Moved {
 public:
  explicit Moved(Struct* from) : moved_(*from) { from->release = nullptr; }
  Moved(const Moved&) = delete;
  Moved& operator=(const Moved&) = delete;
  ~Moved() {
    if (moved_.release != nullptr) moved_.release(&moved_);
  }

 private:
  Struct moved_;
};

struct ImportedColumn {
  ImportedColumn(ArrowSchema* from_schema, ArrowArray* from_array)
      : schema(from_schema), array(from_array) {}

  Moved<ArrowSchema> schema;
  Moved<ArrowArray> array;  // released first
};

}  // namespace

std::shared_ptr<void> TakeColumn(ArrowSchema* schema, ArrowArray* array) {
  if (schema->release == nullptr || array->release == nullptr) return nullptr;
  // They are called later, when their library may have been unloaded otherwise.
  KeepLoaded(reinterpret_cast<const void*>(schema->release));
  KeepLoaded(reinterpret_cast<const void*>(array->release));
  return std::make_shared<ImportedColumn>(schema, array);
}

}  // namespace array_interface
