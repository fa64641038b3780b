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

/// PyMemberDef.
struct MemberSpec {
  const char* name;
  int type;
  Py_ssize_t offset;
  int flags;
  const char* doc;
};

/// Py_T_PYSSIZET and Py_READONLY.
constexpr int kSizeMember = 19, kReadOnlyMember = 1;

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
  kCall = 50,
  kDealloc = 52,
  kDescrGet = 54,
  kDoc = 56,
  kMethods = 64,
  kRepr = 66,
  kMembers = 72,
  kProperties = 73,
  kFree = 74
};

/// Py_TPFLAGS_DEFAULT, Py_TPFLAGS_DISALLOW_INSTANTIATION and Py_TPFLAGS_IMMUTABLETYPE.
constexpr unsigned kDefaultType = 1U << 18, kNoInstances = 1U << 7, kImmutableType = 1U << 8;

}  // namespace array_interface
