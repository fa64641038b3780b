#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The part of CPython's stable ABI that this addon uses. It needs no header of Python, and one
// binary supports every CPython from 3.10 on: nothing here depends on the layout of an object.

extern "C" {
struct PyObject;
struct PyThreadState;
using Py_ssize_t = ssize_t;
using PyCFunction = PyObject* (*)(PyObject*, PyObject*);

struct PyMethodDef {
  const char* ml_name;
  PyCFunction ml_meth;
  int ml_flags;
  const char* ml_doc;
};

struct Py_buffer {
  void* buf;
  PyObject* obj;
  Py_ssize_t len;
  Py_ssize_t itemsize;
  int readonly;
  int ndim;
  char* format;
  Py_ssize_t* shape;
  Py_ssize_t* strides;
  Py_ssize_t* suboffsets;
  void* internal;
};
}

namespace array_interface {

/// Python's METH_VARARGS, METH_KEYWORDS, METH_NOARGS and METH_O.
constexpr int kVarArgs = 0x1, kKeywords = 0x2, kNoArgs = 0x4, kOneArg = 0x8;

/// A consumer's request to a buffer: PyBUF_….
enum BufferFlags : int {
  kWritable = 0x1,
  kFormat = 0x4,
  kShape = 0x8,
  kStrides = 0x10 | kShape,
  kOrderC = 0x20,
  kOrderFortran = 0x40,
  kOrderAny = 0x80
};

/// The flag of PyType_GetFlags for a type made by Python code, or by PyType_FromSpec.
constexpr unsigned long kHeapFlag = 1UL << 9;

/// The flags of PyType_GetFlags for an object's type, subclasses included.
constexpr unsigned long kIntFlag = 1UL << 24, kListFlag = 1UL << 25, kTupleFlag = 1UL << 26,
                        kBytesFlag = 1UL << 27, kStrFlag = 1UL << 28, kDictFlag = 1UL << 29,
                        kExceptionFlag = 1UL << 30, kTypeFlag = 1UL << 31;

/// Functions and data of libpython: the result type, the name, the parameters.
#define ARRAY_INTERFACE_PYTHON_FUNCTIONS(X)                                                     \
  X(void, Py_InitializeEx, (int))                                                               \
  X(int, Py_IsInitialized, ())                                                                  \
  X(const char*, Py_GetVersion, ())                                                             \
  X(void, Py_SetProgramName, (const wchar_t*))                                                  \
  X(PyThreadState*, PyEval_SaveThread, ())                                                      \
  X(void, PyEval_RestoreThread, (PyThreadState*))                                               \
  X(int, PyGILState_Ensure, ())                                                                 \
  X(void, PyGILState_Release, (int))                                                            \
  X(int, PyThreadState_SetAsyncExc, (unsigned long, PyObject*))                                 \
  X(unsigned long, PyThread_get_thread_ident, ())                                               \
  X(void, Py_IncRef, (PyObject*))                                                               \
  X(void, Py_DecRef, (PyObject*))                                                               \
  X(PyObject*, PyObject_Type, (PyObject*))                                                      \
  X(PyObject*, PyObject_GetAttrString, (PyObject*, const char*))                                \
  X(PyObject*, PyObject_GetAttr, (PyObject*, PyObject*))                                        \
  X(int, PyObject_SetAttr, (PyObject*, PyObject*, PyObject*))                                   \
  X(PyObject*, PyObject_Call, (PyObject*, PyObject*, PyObject*))                                \
  X(PyObject*, PyObject_CallNoArgs, (PyObject*))                                                \
  X(PyObject*, PyObject_CallFunctionObjArgs, (PyObject*, ...))                                  \
  X(PyObject*, PyObject_CallMethod, (PyObject*, const char*, const char*, ...))                 \
  X(PyObject*, PyObject_Str, (PyObject*))                                                       \
  X(PyObject*, PyObject_Repr, (PyObject*))                                                      \
  X(int, PyObject_IsTrue, (PyObject*))                                                          \
  X(PyObject*, PyObject_GetIter, (PyObject*))                                                   \
  X(PyObject*, PyIter_Next, (PyObject*))                                                        \
  X(PyObject*, PyObject_GetItem, (PyObject*, PyObject*))                                        \
  X(int, PyObject_SetItem, (PyObject*, PyObject*, PyObject*))                                   \
  X(Py_ssize_t, PyObject_Size, (PyObject*))                                                     \
  X(unsigned long, PyType_GetFlags, (PyObject*))                                                \
  X(void*, PyType_GetSlot, (PyObject*, int))                                                    \
  X(PyObject*, PyType_FromSpec, (void*))                                                        \
  X(PyObject*, PyType_GenericAlloc, (PyObject*, Py_ssize_t))                                    \
  X(void, PyType_Modified, (PyObject*))                                                         \
  X(PyObject*, PyObject_GenericGetDict, (PyObject*, void*))                                     \
  X(PyObject*, PyImport_ImportModuleLevel, (const char*, PyObject*, PyObject*, PyObject*, int)) \
  X(PyObject*, PyImport_AddModule, (const char*))                                               \
  X(PyObject*, PySys_GetObject, (const char*))                                                  \
  X(PyObject*, PyModule_GetDict, (PyObject*))                                                   \
  X(PyObject*, Py_CompileString, (const char*, const char*, int))                               \
  X(PyObject*, PyEval_EvalCode, (PyObject*, PyObject*, PyObject*))                              \
  X(void, PyObject_ClearWeakRefs, (PyObject*))                                                  \
  X(PyObject*, PyCFunction_NewEx, (PyMethodDef*, PyObject*, PyObject*))                         \
  X(PyObject*, PyLong_FromLongLong, (long long))                                                \
  X(PyObject*, PyLong_FromUnsignedLongLong, (unsigned long long))                               \
  X(PyObject*, PyLong_FromString, (const char*, char**, int))                                   \
  X(long long, PyLong_AsLongLongAndOverflow, (PyObject*, int*))                                 \
  X(unsigned long long, PyLong_AsUnsignedLongLong, (PyObject*))                                 \
  X(PyObject*, PyNumber_ToBase, (PyObject*, int))                                               \
  X(PyObject*, PyFloat_FromDouble, (double))                                                    \
  X(double, PyFloat_AsDouble, (PyObject*))                                                      \
  X(PyObject*, PyBool_FromLong, (long))                                                         \
  X(const char*, PyUnicode_AsUTF8AndSize, (PyObject*, Py_ssize_t*))                             \
  X(PyObject*, PyUnicode_AsEncodedString, (PyObject*, const char*, const char*))                \
  X(PyObject*, PyUnicode_FromFormat, (const char*, ...))                                        \
  X(PyObject*, PyUnicode_FromStringAndSize, (const char*, Py_ssize_t))                          \
  X(PyObject*, PyBytes_FromStringAndSize, (const char*, Py_ssize_t))                            \
  X(int, PyBytes_AsStringAndSize, (PyObject*, char**, Py_ssize_t*))                             \
  X(PyObject*, PyTuple_Pack, (Py_ssize_t, ...))                                                 \
  X(PyObject*, PyTuple_New, (Py_ssize_t))                                                       \
  X(Py_ssize_t, PyTuple_Size, (PyObject*))                                                      \
  X(PyObject*, PyTuple_GetItem, (PyObject*, Py_ssize_t))                                        \
  X(int, PyTuple_SetItem, (PyObject*, Py_ssize_t, PyObject*))                                   \
  X(PyObject*, PyList_New, (Py_ssize_t))                                                        \
  X(Py_ssize_t, PyList_Size, (PyObject*))                                                       \
  X(int, PyList_SetItem, (PyObject*, Py_ssize_t, PyObject*))                                    \
  X(PyObject*, PyDict_New, ())                                                                  \
  X(int, PyDict_SetItem, (PyObject*, PyObject*, PyObject*))                                     \
  X(PyObject*, PyDict_GetItemString, (PyObject*, const char*))                                  \
  X(PyObject*, PyDict_Copy, (PyObject*))                                                        \
  X(int, PyDict_Next, (PyObject*, Py_ssize_t*, PyObject**, PyObject**))                         \
  X(int, PyDict_SetItemString, (PyObject*, const char*, PyObject*))                             \
  X(PyObject*, Py_BuildValue, (const char*, ...))                                               \
  X(void, PyErr_Fetch, (PyObject**, PyObject**, PyObject**))                                    \
  X(void, PyErr_NormalizeException, (PyObject**, PyObject**, PyObject**))                       \
  X(void, PyErr_Restore, (PyObject*, PyObject*, PyObject*))                                     \
  X(void, PyErr_SetString, (PyObject*, const char*))                                            \
  X(void, PyErr_SetObject, (PyObject*, PyObject*))                                              \
  X(PyObject*, PyErr_Occurred, ())                                                              \
  X(int, PyErr_ExceptionMatches, (PyObject*))                                                   \
  X(void, PyErr_Clear, ())                                                                      \
  X(void, PyErr_WriteUnraisable, (PyObject*))                                                   \
  X(int, PyException_SetTraceback, (PyObject*, PyObject*))                                      \
  X(PyObject*, PyErr_NewException, (const char*, PyObject*, PyObject*))                         \
  X(int, PyErr_GivenExceptionMatches, (PyObject*, PyObject*))                                   \
  X(PyObject*, PyException_GetCause, (PyObject*))                                               \
  X(PyObject*, PyException_GetContext, (PyObject*))                                             \
  X(PyObject*, PyImport_Import, (PyObject*))                                                    \
  X(PyObject*, PyList_AsTuple, (PyObject*))                                                     \
  X(PyObject*, PyMapping_Items, (PyObject*))                                                    \
  X(int, PyIter_Check, (PyObject*))                                                             \
  X(int, PyObject_HasAttrString, (PyObject*, const char*))                                      \
  X(int, PyObject_SetAttrString, (PyObject*, const char*, PyObject*))                           \
  X(PyObject*, PyBytes_FromObject, (PyObject*))                                                 \
  X(PyObject*, PySequence_Tuple, (PyObject*))                                                   \
  X(PyObject*, PySet_New, (PyObject*))                                                          \
  X(int, PySet_Add, (PyObject*, PyObject*))                                                     \
  X(int, PyType_IsSubtype, (PyObject*, PyObject*))                                              \
  X(PyObject*, PyUnicode_DecodeUTF16, (const char*, Py_ssize_t, const char*, int*))             \
  X(PyObject*, PyUnicode_Join, (PyObject*, PyObject*))                                          \
  X(void, PyUnicode_InternInPlace, (PyObject**))                                                \
  X(PyObject*, PyCapsule_New, (void*, const char*, void (*)(PyObject*)))                        \
  X(void*, PyCapsule_GetPointer, (PyObject*, const char*))                                      \
  X(const char*, PyCapsule_GetName, (PyObject*))                                                \
  X(int, PyCapsule_SetName, (PyObject*, const char*))                                           \
  X(int, PyCapsule_IsValid, (PyObject*, const char*))                                           \
  X(int, PyObject_GetBuffer, (PyObject*, Py_buffer*, int))                                      \
  X(void, PyBuffer_Release, (Py_buffer*))                                                       \
  X(PyObject*, PyMemoryView_FromObject, (PyObject*))                                            \
  X(int, PyObject_CheckBuffer, (PyObject*))                                                     \
  X(PyObject*, PyUnicode_InternFromString, (const char*))                                       \
  X(PyObject*, PyDict_GetItemWithError, (PyObject*, PyObject*))                                 \
  X(int, PyIndex_Check, (PyObject*))                                                            \
  X(PyObject*, PyNumber_Index, (PyObject*))                                                     \
  X(int, PyObject_IsInstance, (PyObject*, PyObject*))                                           \
  X(int, PyObject_DelItem, (PyObject*, PyObject*))                                              \
  X(int, PySequence_Contains, (PyObject*, PyObject*))

/// Objects of libpython that are variables there: `PyExc_…` are pointers, None is the object.
#define ARRAY_INTERFACE_PYTHON_EXCEPTIONS(X) \
  X(PyExc_BaseException)                     \
  X(PyExc_Exception)                         \
  X(PyExc_AttributeError)                    \
  X(PyExc_BufferError)                       \
  X(PyExc_KeyboardInterrupt)                 \
  X(PyExc_MemoryError)                       \
  X(PyExc_RuntimeError)                      \
  X(PyExc_SystemError) X(PyExc_TypeError) X(PyExc_ValueError) X(PyExc_StopIteration)

/// Objects of libpython whose symbols are the objects themselves.
#define ARRAY_INTERFACE_PYTHON_OBJECTS(X) \
  X(PyFloat_Type)                         \
  X(PyLong_Type)                          \
  X(PyUnicode_Type)                       \
  X(PyBytes_Type)                         \
  X(PyList_Type)                          \
  X(PyTuple_Type)                         \
  X(PyDict_Type)                          \
  X(PySet_Type)                           \
  X(PyFrozenSet_Type) X(PyByteArray_Type) X(PyComplex_Type) X(PySlice_Type)

/// The functions of the libpython that this process runs.
struct Api {
#define ARRAY_INTERFACE_DECLARE(result, name, parameters) result(*name) parameters = nullptr;
  ARRAY_INTERFACE_PYTHON_FUNCTIONS(ARRAY_INTERFACE_DECLARE)
#undef ARRAY_INTERFACE_DECLARE
  /// Null before 3.12; PyObject_Call is used then.
  PyObject* (*PyObject_Vectorcall)(PyObject*, PyObject* const*, std::size_t, PyObject*) = nullptr;
  PyObject* (*PyObject_VectorcallMethod)(PyObject*, PyObject* const*, std::size_t,
                                         PyObject*) = nullptr;

#define ARRAY_INTERFACE_DECLARE(name) PyObject** name = nullptr;
  ARRAY_INTERFACE_PYTHON_EXCEPTIONS(ARRAY_INTERFACE_DECLARE)
#undef ARRAY_INTERFACE_DECLARE
#define ARRAY_INTERFACE_DECLARE(name) PyObject* name = nullptr;
  ARRAY_INTERFACE_PYTHON_OBJECTS(ARRAY_INTERFACE_DECLARE)
#undef ARRAY_INTERFACE_DECLARE
  PyObject* None = nullptr;
  PyObject* True = nullptr;
  PyObject* False = nullptr;
  int* UTF8Mode = nullptr;
};

/// The result of loading a libpython.
struct LoadedLibrary {
  std::string failure;               ///< the system's message; empty if it was loaded
  std::vector<std::string> missing;  ///< functions that it lacks
};

/// Loads a libpython. KeepPython or UnloadPython must follow. A library that is no libpython is
/// unloaded.
LoadedLibrary LoadPython(const std::string& path);

/// Unloads what LoadPython loaded. Only Py_GetVersion may have been called before.
void UnloadPython();

/// Keeps it loaded. Its functions become global symbols, where extension modules look for them.
void KeepPython(const std::string& path);

/// The functions of the library that was loaded.
const Api& Py();

}  // namespace array_interface
