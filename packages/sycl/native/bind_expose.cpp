#include <algorithm>

#include "bind.hpp"
#include "napi/argument.hpp"
#include "napi/handle.hpp"
#include "sycl_memory.hpp"

// napi.h leaves it out because of Electron, which has the function but refuses.
extern "C" NAPI_EXTERN napi_status NAPI_CDECL
napi_create_external_arraybuffer(napi_env env, void* data, size_t size, node_api_basic_finalize end,
                                 void* hint, napi_value* result);

namespace array_interface::sycl {

namespace {

/// What a buffer over a block keeps. Node may end it before it reports that it made no buffer.
struct Exposed {
  Holder holder;
  bool is_being_made = true;

  static void End(napi_env, void*, void* held) {
    auto* const exposed = static_cast<Exposed*>(held);
    if (!exposed->is_being_made) delete exposed;
  }
};

bool IsWithin(const Allocation& allocation, std::uint64_t address, std::size_t size) {
  const std::uint64_t offset = address - allocation.pointer();
  return address >= allocation.pointer() && offset <= allocation.size() &&
         size <= allocation.size() - offset;
}

/// Whether both ends are host or shared memory. The block tells for ours, the runtime for others'.
bool IsSeen(SyclMemory& memory, std::uint64_t address, std::size_t size) {
  if (memory.type() != UsmType::kHost && memory.type() != UsmType::kShared) return false;
  const Allocation* const allocation = memory.block()->allocation();
  if (allocation != nullptr) return IsWithin(*allocation, address, size);
  for (const std::uint64_t end : {address, address + std::max<std::size_t>(size, 1) - 1}) {
    if (memory.place()->TypeOf(reinterpret_cast<void*>(end)) != memory.type()) return false;
  }
  return true;
}

/// expose(memory, pointer, byteLength): host or shared memory as an ArrayBuffer. Null where Node
/// was built without buffers over foreign memory. The block lives as long as the buffer.
Napi::Value Expose(const Napi::CallbackInfo& info) {
  const auto memory = Handle<SyclMemory>::Unwrap(info[0], "memory");
  const std::uint64_t address = ReadPointer(info[1], "pointer");
  const std::size_t size = ReadSize(info[2], "byteLength");
  if (!IsSeen(*memory, address, size)) {
    throw SyclError("ERR_NOT_ACCESSIBLE", "memory",
                    "expected host or shared memory, got another; copy it with toTypedArray()");
  }
  auto* exposed = new Exposed{{memory->block(), false}};
  napi_value buffer = nullptr;
  void* data = reinterpret_cast<void*>(address);
  const napi_status status =
      napi_create_external_arraybuffer(info.Env(), data, size, &Exposed::End, exposed, &buffer);
  exposed->is_being_made = false;
  if (status == napi_ok) return {info.Env(), buffer};
  delete exposed;
  napi_value reason = nullptr;  // Node may have thrown meanwhile
  napi_get_and_clear_last_exception(info.Env(), &reason);
  return info.Env().Null();
}

}  // namespace

void BindExpose(Napi::Object exports) { Export<Expose>(exports, "expose"); }

}  // namespace array_interface::sycl
