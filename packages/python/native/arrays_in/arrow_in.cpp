#include "arrays_in/arrow_in.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "arrays_in/plain_value.hpp"
#include "napi/argument.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

constexpr const char* kMethod = "__arrow_c_array__";

/// The struct in a capsule of the pair. Null if there is none.
void* StructIn(PyObject* pair, Py_ssize_t index, const char* name) {
  const bool is_pair = HasFlag(pair, kTupleFlag) && Py().PyTuple_Size(pair) == 2;
  PyObject* const capsule = is_pair ? Py().PyTuple_GetItem(pair, index) : nullptr;
  if (capsule == nullptr || Py().PyCapsule_IsValid(capsule, name) == 0) return nullptr;
  return Py().PyCapsule_GetPointer(capsule, name);
}

/// Memory is copied in such parts, so that a length far beyond what there is costs no memory.
constexpr std::size_t kPart = 1 << 20;

/// Asks the kernel, which refuses an address where nothing is. Where programs may not ask, the
/// producer's word must do, as it does for DLPack's structs.
bool CopyPart(std::uint64_t address, void* to, std::size_t size) {
  auto* const from = reinterpret_cast<void*>(address);
  const iovec local{to, size};
  const iovec remote{from, size};
  const ssize_t copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  if (copied < 0 && (errno == EPERM || errno == ENOSYS)) {
    std::memcpy(to, from, size);
    return true;
  }
  return copied == static_cast<ssize_t>(size);
}

/// The bytes at an address, or nothing if not all of them can be read.
std::optional<std::vector<std::byte>> CopyMemory(std::uint64_t address, std::size_t size) {
  std::vector<std::byte> bytes;
  while (bytes.size() < size) {
    const std::size_t done = bytes.size();
    const std::size_t part = std::min(kPart, size - done);
    bytes.resize(done + part);
    if (!CopyPart(address + done, bytes.data() + done, part)) return std::nullopt;
  }
  return bytes;
}

}  // namespace

Napi::Value ProduceColumn(Napi::Env env, PyObject* object) {
  if (!ClassHas(object, kMethod)) return {};
  const Reference pair = Checked(env, Py().PyObject_CallMethod(object, kMethod, nullptr));
  const void* const schema = StructIn(pair.get(), 0, "arrow_schema");
  const void* const array = StructIn(pair.get(), 1, "arrow_array");
  if (schema == nullptr || array == nullptr) {
    Throw(env, {"ERR_TYPE", kMethod,
                "expected a pair of capsules, arrow_schema and arrow_array, got something else; "
                "check what its library exports",
                "", 0, ""});
  }
  auto made = Napi::Object::New(env);
  made["schema"] = Address(env, reinterpret_cast<std::uintptr_t>(schema));
  made["array"] = Address(env, reinterpret_cast<std::uintptr_t>(array));
  made["hold"] = KeepObject(env, pair.get());  // the capsules release what is in the structs
  return made;
}

Napi::Value ReadMemory(const Napi::CallbackInfo& info) {
  const std::uint64_t address = ReadPointer(info[0], "address");
  const auto size = static_cast<std::size_t>(ReadInteger(info[1], "byteLength"));
  const auto bytes = CopyMemory(address, size);
  if (!bytes) return info.Env().Null();
  auto made = Napi::Uint8Array::New(info.Env(), size);
  std::copy(bytes->begin(), bytes->end(), reinterpret_cast<std::byte*>(made.Data()));
  return {info.Env(), made};
}

}  // namespace array_interface
