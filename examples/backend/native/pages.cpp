// The driver of a backend whose memory is pages of mmap: what cuda.h is to CUDA.
#include <array_interface.h>
#include <napi.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace {

/// Memory that goes back to the system with its last reference.
struct Pages {
  Pages(void* data, std::size_t size) : data(data), size(size) {}
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages();

  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(data); }

  void* const data;
  const std::size_t size;
};

using PagesRef = std::shared_ptr<Pages>;

/// All pages of this process, whichever thread allocated them.
struct Table {
  std::mutex mutex;
  std::map<std::uintptr_t, std::weak_ptr<Pages>> by_address;
};

/// Never destroyed: pages of other threads may outlive the process's statics.
Table& TheTable() {
  static auto* table = new Table;
  return *table;
}

Pages::~Pages() {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  table.by_address.erase(address());
  munmap(data, size);
}

PagesRef Find(std::uintptr_t address) {
  Table& table = TheTable();
  PagesRef found;  // outlives the lock, since it may be the last reference
  const std::lock_guard lock(table.mutex);
  const auto after = table.by_address.upper_bound(address);
  if (after == table.by_address.begin()) return nullptr;
  found = std::prev(after)->second.lock();
  return found != nullptr && address - found->address() < found->size ? found : nullptr;
}

std::uintptr_t ReadAddress(const Napi::Value& value) {
  bool is_lossless = false;
  return value.As<Napi::BigInt>().Uint64Value(&is_lossless);
}

/// JavaScript's reference. It ends with `release`, or when it is collected.
Napi::Value MakeHandle(Napi::Env env, const PagesRef& pages) {
  const auto end = [](Napi::Env, PagesRef* reference) { delete reference; };
  auto reference = std::make_unique<PagesRef>(pages);
  const auto handle = Napi::External<PagesRef>::New(env, reference.get(), end);
  [[maybe_unused]] PagesRef* const of_handle = reference.release();
  return handle;
}

Napi::Value MakeReference(Napi::Env env, const PagesRef& pages) {
  if (pages == nullptr) return env.Null();
  Napi::Object made = Napi::Object::New(env);
  made["handle"] = MakeHandle(env, pages);
  made["pointer"] = Napi::BigInt::New(env, std::uint64_t{pages->address()});
  made["byteLength"] = static_cast<double>(pages->size);
  return made;
}

Napi::Value Allocate(const Napi::CallbackInfo& info) {
  const auto size = static_cast<std::size_t>(info[0].As<Napi::Number>().Int64Value());
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  void* const data = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (data == MAP_FAILED) return info.Env().Null();
  const auto pages = std::make_shared<Pages>(data, size);
  {
    Table& table = TheTable();
    const std::lock_guard lock(table.mutex);
    table.by_address[pages->address()] = pages;
  }
  return MakeReference(info.Env(), pages);
}

Napi::Value Hold(const Napi::CallbackInfo& info) {
  return MakeReference(info.Env(), Find(ReadAddress(info[0])));
}

void Release(const Napi::CallbackInfo& info) {
  info[0].As<Napi::External<PagesRef>>().Data()->reset();
}

Napi::Value LiveAllocations(const Napi::CallbackInfo& info) {
  Table& table = TheTable();
  const std::lock_guard lock(table.mutex);
  return Napi::Number::New(info.Env(), static_cast<double>(table.by_address.size()));
}

/// What a plan says of one axis: units, and bytes between them on both sides.
struct Axis {
  std::int64_t length;
  std::int64_t to;
  std::int64_t from;
};

void Move(const std::vector<Axis>& axes, std::size_t index, char* to, const char* from,
          std::int64_t unit) {
  if (index == axes.size()) {
    std::memmove(to, from, static_cast<std::size_t>(unit));
    return;
  }
  const Axis& axis = axes[index];
  const bool is_run = index + 1 == axes.size() && axis.to == unit && axis.from == unit;
  if (is_run) return Move(axes, index + 1, to, from, unit * axis.length);
  for (std::int64_t i = 0; i < axis.length; ++i) {
    Move(axes, index + 1, to + i * axis.to, from + i * axis.from, unit);
  }
}

/// The first byte of one side: at an address, or counted from the start of an array.
char* FirstByte(const Napi::Value& offset, const Napi::Value& bytes) {
  const std::uintptr_t start = ReadAddress(offset);
  if (bytes.IsNull()) return reinterpret_cast<char*>(start);
  return reinterpret_cast<char*>(bytes.As<Napi::Uint8Array>().Data()) + start;
}

void MoveBytes(const Napi::CallbackInfo& info) {
  const auto plan = info[0].As<Napi::Object>();
  const auto number = [&](const char* key, std::uint32_t index) {
    return plan.Get(key).As<Napi::Array>().Get(index).As<Napi::Number>().Int64Value();
  };
  std::vector<Axis> axes(plan.Get("shape").As<Napi::Array>().Length());
  for (std::uint32_t i = 0; i < axes.size(); ++i) {
    axes[i] = {number("shape", i), number("destinationStrides", i), number("sourceStrides", i)};
  }
  char* const to = FirstByte(plan.Get("destination"), info[1]);
  const char* const from = FirstByte(plan.Get("source"), info[2]);
  Move(axes, 0, to, from, plan.Get("unit").As<Napi::Number>().Int64Value());
}

/// A buffer over a part of some pages. `keeps`: they stay until neither the buffer nor its bytes
/// are used by anybody. Otherwise the caller detaches the buffer before they can end.
Napi::Value MapBuffer(const Napi::CallbackInfo& info) {
  const PagesRef& pages = *info[0].As<Napi::External<PagesRef>>().Data();
  void* const data = reinterpret_cast<void*>(ReadAddress(info[1]));
  const auto size = static_cast<std::size_t>(info[2].As<Napi::Number>().Int64Value());
  const bool keeps = info[3].ToBoolean();
  auto* const of_bytes = new PagesRef(keeps ? pages : nullptr);
  const auto freed = [](Napi::Env, void*, PagesRef* reference) { delete reference; };
  Napi::ArrayBuffer buffer = Napi::ArrayBuffer::New(info.Env(), data, size, freed, of_bytes);
  const auto collected = [](Napi::Env, PagesRef* reference) { delete reference; };
  if (keeps) buffer.AddFinalizer(collected, new PagesRef(pages));
  return buffer;
}

void Detach(const Napi::CallbackInfo& info) { info[0].As<Napi::ArrayBuffer>().Detach(); }

/// What a capsule owns. Array and tensor are released on any thread, in either order.
struct Exported : ai_array {
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): ExportCapsule fills it in
  DLManagedTensorVersioned managed{};
  std::vector<std::int64_t> axes;  // lengths, then strides
  std::string element;
  PagesRef pages;
  std::atomic<int> holders{2};
};

void Drop(Exported* exported) {
  if (--exported->holders == 0) delete exported;
}

/// Makes a capsule of the arguments behind the first one, core's `CapsuleFields`.
Napi::Value ExportCapsule(const Napi::CallbackInfo& info) {
  // 1 flags, 2 data, 3 and 4 the device, 5 to 7 the dtype, 8 the typestr, 9 the rank, then the axes
  const auto number = [&](std::size_t place) {
    return info[place].As<Napi::Number>().Int64Value();
  };
  auto made = std::make_unique<Exported>();
  made->pages = *info[0].As<Napi::External<PagesRef>>().Data();
  const auto rank = static_cast<std::size_t>(number(9));
  for (std::size_t axis = 0; axis < 2 * rank; ++axis) made->axes.push_back(number(10 + axis));
  DLManagedTensorVersioned& managed = made->managed;
  managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed.manager_ctx = made.get();
  managed.deleter = [](DLManagedTensorVersioned* self) {
    Drop(static_cast<Exported*>(self->manager_ctx));
  };
  managed.flags = static_cast<std::uint64_t>(number(1));
  DLTensor& tensor = managed.dl_tensor;
  tensor.data = reinterpret_cast<void*>(ReadAddress(info[2]));
  tensor.device = {kDLCPU, 0};
  tensor.ndim = static_cast<std::int32_t>(rank);
  tensor.dtype = {static_cast<std::uint8_t>(number(5)), static_cast<std::uint8_t>(number(6)),
                  static_cast<std::uint16_t>(number(7))};
  tensor.shape = made->axes.data();
  tensor.strides = made->axes.data() + rank;
  if (info[8].IsString()) made->element = info[8].As<Napi::String>();
  made->abi = AI_ABI;
  made->size = sizeof(ai_array);
  made->tensor = &managed;
  made->order_kind = AI_READY;  // nothing is pending
  made->typestr = info[8].IsString() ? made->element.c_str() : nullptr;
  made->release = [](ai_array* self) {
    if (self->tensor != nullptr) self->tensor->deleter(self->tensor);
    Drop(static_cast<Exported*>(self));
  };
  napi_value capsule = nullptr;
  if (ai_wrap(info.Env(), made.release(), &capsule) != napi_ok) throw Napi::Error::New(info.Env());
  return {info.Env(), capsule};
}

/// Reads a capsule, and releases its array, since nothing is pending on it: a reference to the
/// pages keeps the memory instead. Null if it is none. Calls core's `capsuleContents` with what it
/// has.
Napi::Value ImportCapsule(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!ai_is_capsule(env, info[0])) return env.Null();
  ai_array* const array = ai_take(env, info[0]);
  if (array == nullptr) throw Napi::Error::New(env);  // the header says why
  const std::unique_ptr<ai_array, void (*)(ai_array*)> held(array, array->release);
  const DLTensor& tensor = array->tensor->dl_tensor;
  const auto data = reinterpret_cast<std::uintptr_t>(tensor.data);
  const auto number = [&](auto value) {
    return Napi::Number::New(env, static_cast<double>(value));
  };
  const auto address = [&](std::uint64_t value) { return Napi::BigInt::New(env, value); };
  const PagesRef pages = Find(data + tensor.byte_offset);
  std::vector<napi_value> parts = {
      number(array->tensor->version.major),
      number(array->tensor->version.minor),
      number(array->tensor->flags),
      address(data),
      address(tensor.byte_offset),
      number(tensor.device.device_type),
      number(tensor.device.device_id),
      number(tensor.dtype.code),
      number(tensor.dtype.bits),
      number(tensor.dtype.lanes),
      array->typestr == nullptr ? env.Null() : Napi::Value(Napi::String::New(env, array->typestr)),
      number(array->order_kind),
      address(reinterpret_cast<std::uintptr_t>(array->order)),
      address(reinterpret_cast<std::uintptr_t>(array->context)),
      MakeHandle(env, pages),
      number(tensor.ndim)};
  for (int axis = 0; axis < tensor.ndim; ++axis) parts.push_back(number(tensor.shape[axis]));
  const bool has_strides = tensor.strides != nullptr;
  for (int axis = 0; has_strides && axis < tensor.ndim; ++axis) {
    parts.push_back(number(tensor.strides[axis]));
  }
  return info[1].As<Napi::Function>().Call(parts);
}

void Initialize(const Napi::CallbackInfo&) {}

Napi::Object Exports(Napi::Env env, Napi::Object exports) {
  exports["initialize"] = Napi::Function::New(env, Initialize);
  exports["allocate"] = Napi::Function::New(env, Allocate);
  exports["hold"] = Napi::Function::New(env, Hold);
  exports["release"] = Napi::Function::New(env, Release);
  exports["liveAllocations"] = Napi::Function::New(env, LiveAllocations);
  exports["moveBytes"] = Napi::Function::New(env, MoveBytes);
  exports["exportCapsule"] = Napi::Function::New(env, ExportCapsule);
  exports["importCapsule"] = Napi::Function::New(env, ImportCapsule);
  exports["mapBuffer"] = Napi::Function::New(env, MapBuffer);
  exports["detach"] = Napi::Function::New(env, Detach);
  return exports;
}

}  // namespace

NODE_API_MODULE(pages, Exports)
