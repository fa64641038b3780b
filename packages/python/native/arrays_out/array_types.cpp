#include "arrays_out/array_types.hpp"

#include <array>
#include <utility>

#include "arrays/exchange.hpp"
#include "arrays_out/away.hpp"
#include "arrays_out/buffer_out.hpp"
#include "arrays_out/dict_out.hpp"
#include "arrays_out/dlpack_out.hpp"
#include "arrays_out/exchange_out.hpp"
#include "arrays_out/raise.hpp"
#include "interpreter/made_once.hpp"
#include "interpreter/own_type.hpp"

namespace array_interface {

namespace {

using Body = std::shared_ptr<SharedArray>;

template <Reference (*Give)(const SharedArray&)>
PyObject* Property(PyObject* self, void*) {
  return Answer<PyObject*>(nullptr, [&] { return Give(*BodyOf<Body>(self)).Give(); });
}

template <Reference (*Give)(const SharedArray&)>
PyObject* Method(PyObject* self, PyObject*) {
  return Property<Give>(self, nullptr);
}

PyObject* DLPack(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return Answer<PyObject*>(
      nullptr, [&] { return DLPackOf(BodyOf<Body>(self), arguments, keywords).Give(); });
}

Reference ShapeOf(const SharedArray& array) { return TupleOf(array.shape()); }

Reference ReprOf(const SharedArray& array) {
  constexpr std::array<const char*, 3> names{"HostArray", "CudaArray", "SyclArray"};
  return Must(Py().PyUnicode_FromFormat("<array_interface %s shape=%R typestr='%s'>",
                                        names[static_cast<std::size_t>(array.place())],
                                        ShapeOf(array).get(), array.typestr().c_str()));
}

PyObject* Repr(PyObject* self) { return Property<ReprOf>(self, nullptr); }

Py_ssize_t Length(PyObject* self) {
  const SharedArray& array = *BodyOf<Body>(self);
  if (!array.shape().empty()) return static_cast<Py_ssize_t>(array.shape().front());
  Py().PyErr_SetString(*Py().PyExc_TypeError, "len() of an array without axes");
  return -1;
}

int GetBuffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  return Answer<int>(-1, [&] {
    FillView(*BodyOf<Body>(self), view, flags);
    view->obj = Reference::Share(self).Give();
    return 0;
  });
}

void Dealloc(PyObject* self) {
  {
    const Away away(BodyOf<Body>(self)->place());
    BodyOf<Body>(self).~Body();
  }
  FreeInstance(self);
}

/// Without it, NumPy would make an array of one element, this object.
template <ArrayPlace place>
PyObject* RefuseNumpy(PyObject*, PyObject*, PyObject*) {
  constexpr bool is_cuda = place == ArrayPlace::kCuda;
  Py().PyErr_SetString(
      *Py().PyExc_TypeError,
      is_cuda
          ? "expected an array in host memory, got one in CUDA memory; copy it in JavaScript, "
            "with await host.array(array), or use CuPy, Numba or PyTorch"
          : "expected an array in host memory, got one in SYCL's unified shared memory; copy it "
            "in JavaScript, with await host.array(array), or use dpnp or dpctl");
  return nullptr;
}

constexpr const char* kDLPackDoc =
    "A DLPack capsule: __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)";

constexpr int kWithKeywords = kVarArgs | kKeywords;

PyCFunction AsMethod(PyObject* (*function)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

const PyMethodDef kDLPackMethod = {"__dlpack__", AsMethod(DLPack), kWithKeywords, kDLPackDoc};
const PyMethodDef kDeviceMethod = {"__dlpack_device__", Method<DLPackDeviceOf>, kNoArgs,
                                   "DLPack's type and number of the device"};

template <ArrayPlace place>
const PyMethodDef kNoNumpyMethod = {"__array__", AsMethod(RefuseNumpy<place>), kWithKeywords,
                                    "Raises TypeError: NumPy cannot use this memory"};

const PropertySpec kShapeProperty = {"shape", Property<ShapeOf>, nullptr, "Lengths of the axes",
                                     nullptr};

/// Sets DLPack's attribute of a class, in its dict, as the class is immutable for programs. Nobody
/// has it yet. False if Python raised an exception.
bool AddExchange(PyObject* type) {
  const auto dict = Reference::Take(Py().PyObject_GenericGetDict(type, nullptr));
  const auto capsule = dict ? ExchangeCapsule() : Reference();
  if (!capsule || Py().PyDict_SetItemString(dict.get(), kExchangeAttribute, capsule.get()) != 0)
    return false;
  Py().PyType_Modified(type);
  return true;
}

/// The Python type for arrays in one kind of memory.
class ArrayType {
 public:
  ArrayType(const char* name, const char* doc, const PropertySpec& interface, bool has_exchange,
            const PyMethodDef& more_methods, TypeSlot more = {0, nullptr})
      : name_(name),
        doc_(doc),
        properties_{interface, kShapeProperty, {}},
        methods_{kDLPackMethod, kDeviceMethod, more_methods, {}},
        has_exchange_(has_exchange),
        more_(more) {}

  /// Null if Python raised an exception.
  PyObject* Get() {
    return made_.Get([this] { return Make(); });
  }

  bool IsOf(PyObject* object) const {
    return Reference::Take(Py().PyObject_Type(object)).get() == made_.made();
  }

 private:
  Reference Make() {
    TypeSlot slots[] = {{kDealloc, reinterpret_cast<void*>(Dealloc)},
                        {kRepr, reinterpret_cast<void*>(Repr)},
                        {kLength, reinterpret_cast<void*>(Length)},
                        {kMethods, methods_},
                        {kProperties, properties_},
                        {kDoc, const_cast<char*>(doc_)},
                        more_,
                        {0, nullptr}};
    TypeSpec spec = {name_, SizeWith<Body>(), 0, kDefaultType | kNoInstances | kImmutableType,
                     slots};
    auto type = Reference::Take(Py().PyType_FromSpec(&spec));
    if (type && has_exchange_ && !AddExchange(type.get())) return {};
    return type;
  }

  const char* name_;
  const char* doc_;
  PropertySpec properties_[3];  ///< an empty one is the end
  PyMethodDef methods_[4];      ///< the same
  bool has_exchange_;
  TypeSlot more_;
  MadeOnce made_;
};

ArrayType& TypeOf(ArrayPlace place) {
  static ArrayType types[] = {
      ArrayType("array_interface_node.HostArray", "An array of JavaScript in host memory",
                {"__array_interface__", Property<ArrayInterfaceOf>, nullptr,
                 "NumPy's array interface, version 3", nullptr},
                true, {}, {kGetBuffer, reinterpret_cast<void*>(GetBuffer)}),
      ArrayType("array_interface_node.CudaArray", "An array of JavaScript in CUDA memory",
                {"__cuda_array_interface__", Property<CudaArrayInterfaceOf>, nullptr,
                 "The CUDA array interface, version 3", nullptr},
                true, kNoNumpyMethod<ArrayPlace::kCuda>),
      ArrayType("array_interface_node.SyclArray", "An array of JavaScript in USM memory",
                {"__sycl_usm_array_interface__", Property<SyclArrayInterfaceOf>, nullptr,
                 "The SYCL USM array interface, version 1", nullptr},
                false, kNoNumpyMethod<ArrayPlace::kSycl>)};
  return types[static_cast<std::size_t>(place)];
}

}  // namespace

const std::shared_ptr<SharedArray>* ArrayIn(PyObject* object) {
  for (const ArrayPlace place : {ArrayPlace::kHost, ArrayPlace::kCuda}) {
    if (TypeOf(place).IsOf(object)) return &BodyOf<Body>(object);
  }
  return nullptr;
}

Reference MakeArrayObject(std::shared_ptr<SharedArray> array) {
  PyObject* const type = TypeOf(array->place()).Get();
  if (type == nullptr) return {};
  return MakeInstance(type, Body(std::move(array)));
}

}  // namespace array_interface
