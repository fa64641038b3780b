#include "arrays_out/buffer_out.hpp"

#include <string>

#include "arrays_out/raise.hpp"

namespace array_interface {

namespace {

bool Has(int flags, int asked) { return (flags & asked) == asked; }

void CheckOrder(const SharedArray& array, int flags) {
  const auto refuse = [](const char* expected) {
    throw Refusal(std::string("expected ") + expected +
                  ", got an array with other strides; copy it first");
  };
  if (Has(flags, kOrderC) && !array.is_c()) refuse("elements in C order");
  if (Has(flags, kOrderFortran) && !array.is_fortran()) refuse("elements in Fortran order");
  const bool is_dense = array.is_c() || array.is_fortran();
  if (Has(flags, kOrderAny) && !is_dense) refuse("elements without gaps");
  if (!Has(flags, kStrides) && !array.is_c()) refuse("elements in C order, without strides");
}

static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t), "shapes are handed on as they are");

/// No consumer writes through a view's pointers, but the stable ABI's struct has no const.
Py_ssize_t* Writable(const std::vector<std::int64_t>& integers) {
  return reinterpret_cast<Py_ssize_t*>(const_cast<std::int64_t*>(integers.data()));
}

}  // namespace

void FillView(const SharedArray& array, Py_buffer* view, int flags) {
  if (Has(flags, kWritable) && array.read_only())
    throw Refusal("expected a writable array, got a read-only one; ask for a read-only buffer");
  CheckOrder(array, flags);
  if (Has(flags, kFormat) && array.format().empty()) {
    throw Refusal("expected elements that a buffer's format can describe, got '" + array.typestr() +
                  "'; use __array_interface__");
  }
  const bool has_axes = Has(flags, kShape) && !array.shape().empty();
  *view = {};
  view->buf = reinterpret_cast<void*>(array.pointer());
  view->len = static_cast<Py_ssize_t>(array.size() * array.itemsize());
  view->itemsize = static_cast<Py_ssize_t>(array.itemsize());
  view->readonly = array.read_only() ? 1 : 0;
  view->ndim = static_cast<int>(array.shape().size());
  view->format = Has(flags, kFormat) ? const_cast<char*>(array.format().c_str()) : nullptr;
  view->shape = has_axes ? Writable(array.shape()) : nullptr;
  view->strides = has_axes && Has(flags, kStrides) ? Writable(array.byte_strides()) : nullptr;
}

}  // namespace array_interface
