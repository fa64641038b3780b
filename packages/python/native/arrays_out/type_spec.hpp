#pragma once

#include "interpreter/abi.hpp"

// The arguments of PyType_FromSpec, as the stable ABI defines them.

namespace array_interface {

using Getter = PyObject* (*)(PyObject*, void*);

/// PyGetSetDef.
struct PropertySpec {
  const char* name;
  Getter get;
  void* set;
  const char* doc;
  void* closure;
};

/// PyType_Slot.
struct TypeSlot {
  int slot;
  void* function;
};

/// PyType_Spec.
struct TypeSpec {
  const char* name;
  int basicsize;
  int itemsize;
  unsigned flags;
  TypeSlot* slots;
};

/// The numbers of slots, which never change.
enum Slot : int {
  kGetBuffer = 1,
  kLength = 4,
  kDealloc = 52,
  kDoc = 56,
  kMethods = 64,
  kRepr = 66,
  kProperties = 73,
  kFree = 74
};

/// Py_TPFLAGS_DEFAULT, Py_TPFLAGS_DISALLOW_INSTANTIATION and Py_TPFLAGS_IMMUTABLETYPE.
constexpr unsigned kDefaultType = 1U << 18, kNoInstances = 1U << 7, kImmutableType = 1U << 8;

}  // namespace array_interface
