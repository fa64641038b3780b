#include "lent/lent_memory.hpp"

#include <cstddef>
#include <new>
#include <utility>

#include "interpreter/interpreter.hpp"
#include "interpreter/made_once.hpp"
#include "interpreter/type_spec.hpp"

namespace array_interface {

namespace {

/// The fields of the object whose buffer a memoryview shows.
struct Body {
  LentElements elements;
  Py_ssize_t shape;
  Py_ssize_t stride;
  std::shared_ptr<Lent> lent;
  Reference copy;  ///< the bytes object that has the elements, if it is a copy
};

Body& BodyOf(PyObject* self) {
  auto* const bytes = reinterpret_cast<std::byte*>(self);
  return *std::launder(reinterpret_cast<Body*>(bytes + ThePython()->header_size));
}

bool Has(int flags, int asked) { return (flags & asked) == asked; }

int GetBuffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  Body& body = BodyOf(self);
  const bool is_read_only = static_cast<bool>(body.copy);
  if (Has(flags, kWritable) && is_read_only) {
    Py().PyErr_SetString(*Py().PyExc_BufferError,
                         "expected a writable buffer, got a worker's memory, which ends with the "
                         "worker and is copied; pass an array of host.array()");
    return -1;
  }
  static std::byte none;  // of an empty array, whose address may be null
  *view = {};
  view->buf = body.elements.data == nullptr ? &none : const_cast<void*>(body.elements.data);
  view->len = body.shape * body.stride;
  view->itemsize = body.stride;
  view->readonly = is_read_only ? 1 : 0;
  view->ndim = 1;
  view->format = Has(flags, kFormat) ? const_cast<char*>(body.elements.format) : nullptr;
  view->shape = Has(flags, kShape) ? &body.shape : nullptr;
  view->strides = Has(flags, kStrides) ? &body.stride : nullptr;
  view->obj = Reference::Share(self).Give();
  return 0;
}

void Dealloc(PyObject* self) {
  BodyOf(self).~Body();
  const auto type = Reference::Take(Py().PyObject_Type(self));
  reinterpret_cast<void (*)(void*)>(Py().PyType_GetSlot(type.get(), kFree))(self);
  Py().Py_DecRef(type.get());  // the one that the object had
}

/// Null, with an exception set, if it cannot be made.
PyObject* Type() {
  static MadeOnce made;
  return made.Get([] {
    TypeSlot slots[] = {{kDealloc, reinterpret_cast<void*>(Dealloc)},
                        {kGetBuffer, reinterpret_cast<void*>(GetBuffer)},
                        {kDoc, const_cast<char*>("Memory of JavaScript's")},
                        {0, nullptr}};
    TypeSpec spec = {"array_interface_node.Memory",
                     static_cast<int>(ThePython()->header_size + sizeof(Body)), 0,
                     kDefaultType | kNoInstances | kImmutableType, slots};
    return Reference::Take(Py().PyType_FromSpec(&spec));
  });
}

Reference View(const LentElements& elements, std::shared_ptr<Lent> lent, Reference copy) {
  PyObject* const type = Type();
  if (type == nullptr) return {};
  const auto object = Reference::Take(Py().PyType_GenericAlloc(type, 0));
  if (!object) return {};
  auto* const bytes = reinterpret_cast<std::byte*>(object.get());
  new (bytes + ThePython()->header_size)
      Body{elements, static_cast<Py_ssize_t>(elements.count),
           static_cast<Py_ssize_t>(elements.itemsize), std::move(lent), std::move(copy)};
  return Reference::Take(Py().PyMemoryView_FromObject(object.get()));
}

}  // namespace

Reference ViewOfMemory(const LentElements& elements, std::shared_ptr<Lent> lent) {
  return View(elements, std::move(lent), {});
}

Reference ViewOfCopy(const LentElements& elements) {
  auto copy = Reference::Take(
      Py().PyBytes_FromStringAndSize(static_cast<const char*>(elements.data),
                                     static_cast<Py_ssize_t>(elements.count * elements.itemsize)));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (!copy || Py().PyBytes_AsStringAndSize(copy.get(), &data, &size) != 0) return {};
  LentElements copied = elements;
  copied.data = data;
  return View(copied, nullptr, std::move(copy));
}

}  // namespace array_interface
