#include "opencl_layer.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "files/file_descriptor.hpp"
#include "kernel_files.hpp"
#include "library/library.hpp"

extern char** environ;

namespace array_interface::sycl {

namespace {

// Declarations from OpenCL's CL/cl.h, CL/cl_icd.h and CL/cl_layer.h.
constexpr int kSuccess = 0;
constexpr int kInvalidValue = -30;
constexpr int kInvalidBuildOptions = -43;
constexpr unsigned kDeviceType = 0x1000;
constexpr unsigned kDeviceName = 0x102B;
constexpr unsigned kDeviceVersion = 0x102F;
constexpr unsigned kDriverVersion = 0x102D;
constexpr unsigned kContextDevices = 0x1081;
constexpr unsigned kProgramBinarySizes = 0x1165;
constexpr unsigned kProgramBinaries = 0x1166;
constexpr unsigned kLayerVersion = 0x4240;
constexpr unsigned kLayerName = 0x4241;
constexpr unsigned kVersion = 100;
constexpr std::uint64_t kCpu = 1 << 1;

using GetInfo = int (*)(void*, unsigned, std::size_t, void*, std::size_t*);
using CreateWithIL = void* (*)(void*, const void*, std::size_t, int*);
using CreateWithBinary = void* (*)(void*, unsigned, void* const*, const std::size_t*,
                                   const unsigned char* const*, int*, int*);
using Build = int (*)(void*, unsigned, void* const*, const char*, void (*)(void*, void*), void*);
using Release = int (*)(void*);

/// Indices into the dispatch table of an OpenCL platform.
enum Function : std::size_t {
  kGetDeviceInfo = 3,
  kGetContextInfo = 8,
  kCreateProgramWithBinary = 27,
  kReleaseProgram = 29,
  kBuildProgram = 30,
  kGetProgramInfo = 32,
  kCreateProgramWithIL = 138,
  kFunctions
};

/// The next functions below this layer: another layer's, or the loader's.
std::atomic<const void* const*> below{nullptr};

template <class Signature>
Signature Below(Function function) {
  return reinterpret_cast<Signature>(const_cast<void*>(below.load()[function]));
}

std::atomic<std::uint64_t> compiled{0};
std::atomic<std::uint64_t> found{0};

/// Set once, and never destroyed, since builds may run until the process ends.
std::atomic<const KernelFiles*> files{nullptr};
std::string* environment = nullptr;  ///< written before `files`

/// Prefixes of variables that OpenCL compilers and their libraries read.
constexpr const char* kHeeded[] = {"CL_",  "INTEL_", "IGC_", "VOLCANO_", "SYCL_", "DPCPP_", "UR_",
                                   "TBB_", "OMP_",   "KMP_", "ONEAPI_",  "LLVM_", "MKL_"};

void AddPart(std::string& key, const std::string& part) {
  key += std::to_string(part.size()) + ":" + part;
}

/// Those variables, sorted by name, since their order in the environment has no meaning.
std::string Environment() {
  std::vector<std::string> lines;
  for (char** line = environ; line != nullptr && *line != nullptr; ++line) {
    for (const char* prefix : kHeeded) {
      if (std::strncmp(*line, prefix, std::strlen(prefix)) == 0) lines.emplace_back(*line);
    }
  }
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const auto& line : lines) AddPart(all, line);
  return all;
}

/// The constant parts of the kernel's description of the first processor. Empty if it is unknown. A
/// home folder may move between machines, and with it code that only one processor can run.
std::string Processor() {
  std::string text(std::size_t{1} << 16, '\0');
  const FileDescriptor file(open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC));
  const ssize_t size = read(file.number(), text.data(), text.size());
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  text.resize(std::min(text.size(), text.find("\n\n")));
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.size(), text.find('\n', at));
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    for (const char* wanted :
         {"vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU implementer",
          "CPU architecture", "CPU variant", "CPU part", "CPU revision", "isa"}) {
      if (line.rfind(wanted, 0) == 0) kept += line + "\n";
    }
  }
  return kept;
}

std::string InfoOf(void* device, unsigned what) {
  std::size_t size = 0;
  const auto ask = Below<GetInfo>(kGetDeviceInfo);
  if (ask(device, what, 0, nullptr, &size) != kSuccess) return "";
  std::string text(size, '\0');
  return ask(device, what, size, text.data(), nullptr) == kSuccess ? text.c_str() : "";
}

/// A file's size and modification time. Empty if there is no file.
std::string StateOf(const std::string& path) {
  struct stat now;
  if (stat(path.c_str(), &now) != 0) return "";
  return path + " " + std::to_string(now.st_size) + " " + std::to_string(now.st_mtim.tv_sec) + "." +
         std::to_string(now.st_mtim.tv_nsec);
}

/// The state of the driver's library and of its settings file. Empty if the library is unknown.
std::string DriverOf(void* device) {
  // By the extension cl_khr_icd, every object begins with its driver's dispatch table.
  const auto* const functions = *static_cast<const void* const* const*>(device);
  Dl_info info;
  if (functions == nullptr || dladdr(functions[kBuildProgram], &info) == 0) return "";
  const std::string library = info.dli_fname;
  const std::string settings = library.substr(0, library.rfind('/') + 1) + "cl.cfg";
  const std::string state = StateOf(library);
  return state.empty() ? "" : state + "\n" + StateOf(settings);
}

/// The only device of a context, if it is a CPU.
void* OnlyCpuOf(void* context) {
  std::size_t size = 0;
  void* device = nullptr;
  std::uint64_t type = 0;
  const auto ask = Below<GetInfo>(kGetContextInfo);
  if (ask(context, kContextDevices, 0, nullptr, &size) != kSuccess || size != sizeof device) {
    return nullptr;
  }
  if (ask(context, kContextDevices, size, &device, nullptr) != kSuccess) return nullptr;
  const auto ask_device = Below<GetInfo>(kGetDeviceInfo);
  const bool is_known = ask_device(device, kDeviceType, sizeof type, &type, nullptr) == kSuccess;
  return is_known && (type & kCpu) != 0 ? device : nullptr;
}

/// Everything that a binary depends on, including the module. Empty if a part is unknown.
std::string KeyOf(void* device, const void* module, std::size_t size) {
  const std::string driver = DriverOf(device);
  const std::string version = InfoOf(device, kDriverVersion);
  const std::string name = InfoOf(device, kDeviceName);
  if (driver.empty() || version.empty() || name.empty()) return "";
  std::string key;
  for (const auto& part : {driver, version, name, InfoOf(device, kDeviceVersion), *environment}) {
    AddPart(key, part);
  }
  AddPart(key, {static_cast<const char*>(module), size});
  return key;
}

/// A build of this addon on this thread. The layer ignores all other programs of the process: their
/// build options are unknown when they are created.
struct OwnBuild {
  bool may_be_kept = true;  ///< whether a cached binary may be used
  std::string key{};        ///< empty if nothing is to be cached
  void* program = nullptr;  ///< which the runtime created for it
  bool was_kept = false;    ///< whether the program came from the cache
};

thread_local OwnBuild* current = nullptr;

void* FromKept(void* context, void* device, const std::string& key) {
  const auto kept = files.load()->Find(key);
  if (!kept) return nullptr;
  const std::size_t size = kept->size();
  const auto* const bytes = reinterpret_cast<const unsigned char*>(kept->data());
  int status = kSuccess;
  int error = kSuccess;
  void* const program = Below<CreateWithBinary>(kCreateProgramWithBinary)(
      context, 1, &device, &size, &bytes, &status, &error);
  if (program == nullptr || (status == kSuccess && error == kSuccess)) return program;
  Below<Release>(kReleaseProgram)(program);
  return nullptr;
}

void* CreateProgramWithIL(void* context, const void* module, std::size_t size, int* error) {
  OwnBuild* const build = current;
  const auto create = Below<CreateWithIL>(kCreateProgramWithIL);
  if (build == nullptr || build->program != nullptr) return create(context, module, size, error);
  void* const device = OnlyCpuOf(context);
  if (device != nullptr) build->key = KeyOf(device, module, size);
  if (build->may_be_kept && !build->key.empty())
    build->program = FromKept(context, device, build->key);
  build->was_kept = build->program != nullptr;
  if (!build->was_kept) return build->program = create(context, module, size, error);
  if (error != nullptr) *error = kSuccess;
  return build->program;
}

/// The binary that the compiler made for a program's one device. Empty if it reports none.
std::string BinaryOf(void* program) {
  const auto ask = Below<GetInfo>(kGetProgramInfo);
  std::size_t size = 0;
  std::size_t room = 0;
  if (ask(program, kProgramBinarySizes, 0, nullptr, &room) != kSuccess || room != sizeof size) {
    return "";
  }
  if (ask(program, kProgramBinarySizes, room, &size, nullptr) != kSuccess) return "";
  std::string binary(size, '\0');
  char* bytes = binary.data();
  return ask(program, kProgramBinaries, sizeof bytes, &bytes, nullptr) == kSuccess ? binary : "";
}

int BuildProgram(void* program, unsigned count, void* const* devices, const char* options,
                 void (*notify)(void*, void*), void* data) {
  OwnBuild* const build = current;
  const bool is_own = build != nullptr && build->program == program;
  const bool has_options = options != nullptr && *options != '\0';
  // The key contains no options, since this addon passes none. BuildModule then skips the cache.
  if (is_own && build->was_kept && has_options) return kInvalidBuildOptions;
  const int status = Below<Build>(kBuildProgram)(program, count, devices, options, notify, data);
  if (!is_own || status != kSuccess) return status;
  ++(build->was_kept ? found : compiled);
  if (!build->was_kept && !has_options && notify == nullptr && !build->key.empty()) {
    files.load()->Keep(build->key, BinaryOf(program));
  }
  return status;
}

/// The functions of the layer. Null entries are passed to the layer below.
const std::array<const void*, kFunctions>& Functions() {
  static const auto functions = [] {
    std::array<const void*, kFunctions> all{};
    all[kBuildProgram] = reinterpret_cast<const void*>(&BuildProgram);
    all[kCreateProgramWithIL] = reinterpret_cast<const void*>(&CreateProgramWithIL);
    return all;
  }();
  return functions;
}

constexpr char kVariable[] = "OPENCL_LAYERS";

/// The path of this addon's file, if the variable can name it.
std::string OwnFile() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&Functions), &info) == 0) return "";
  const std::string file = info.dli_fname;
  return file.find(':') == std::string::npos && file.rfind('/', 0) == 0 ? file : "";
}

/// Opens the process's cache files. False if there are none.
bool OpenFiles(const KeptKernels& kept) {
  if (files.load() != nullptr) return true;
  const std::string processor = Processor();
  if (kept.folder.empty() || processor.empty()) return false;
  const auto opened = KernelFiles::Open(kept.folder, kept.most);
  if (!opened) return false;
  environment = new std::string;
  AddPart(*environment, processor);
  AddPart(*environment, Environment());
  files = new KernelFiles(*opened);
  return true;
}

class Scope {
 public:
  explicit Scope(OwnBuild& build) { current = &build; }
  ~Scope() { current = nullptr; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
};

}  // namespace

NamedLayer::NamedLayer(const KeptKernels& kept) {
  const std::string own = OwnFile();
  if (own.empty() || !OpenFiles(kept)) return;
  const char* const before = getenv(kVariable);
  was_set_ = before != nullptr;
  if (was_set_) before_ = before;
  const std::string all = before_.empty() ? own : before_ + ":" + own;
  is_named_ = setenv(kVariable, all.c_str(), 1) == 0;
}

NamedLayer::~NamedLayer() {
  if (!is_named_) return;
  // Child processes must not load an addon of Node as a layer.
  if (was_set_) {
    setenv(kVariable, before_.c_str(), 1);
  } else {
    unsetenv(kVariable);
  }
}

KernelBundleReference BuildModule(const Dpctl& dpctl, void* context, void* device,
                                  const void* spirv, std::size_t size) {
  for (bool may_be_kept : {true, false}) {
    OwnBuild build{may_be_kept};
    const Scope scope(build);
    void* const made = dpctl.KernelBundle_CreateFromSpirv(context, device, spirv, size, "");
    if (made != nullptr || !build.was_kept) return {dpctl, made};
  }
  return {};
}

BuildCounts CountBuilds() { return {below.load() != nullptr, compiled.load(), found.load()}; }

}  // namespace array_interface::sycl

#define ARRAY_INTERFACE_LAYER extern "C" __attribute__((visibility("default")))

/// Returns properties of the layer to the OpenCL loader.
ARRAY_INTERFACE_LAYER int clGetLayerInfo(unsigned what, std::size_t room, void* value,
                                         std::size_t* size) {
  using namespace array_interface::sycl;
  static constexpr char name[] = "array-interface";
  const void* const answer =
      what == kLayerVersion ? static_cast<const void*>(&kVersion) : static_cast<const void*>(name);
  const std::size_t length = what == kLayerVersion ? sizeof kVersion : sizeof name;
  if (what != kLayerVersion && what != kLayerName) return kInvalidValue;
  if (value != nullptr && room < length) return kInvalidValue;
  if (value != nullptr) std::memcpy(value, answer, length);
  if (size != nullptr) *size = length;
  return kSuccess;
}

/// Returns the functions of the layer to the loader, which knows `count` functions.
ARRAY_INTERFACE_LAYER int clInitLayer(unsigned count, const void* const* next, unsigned* own_count,
                                      const void* const** own) {
  using namespace array_interface::sycl;
  if (next == nullptr || own_count == nullptr || own == nullptr || count < kFunctions ||
      files.load() == nullptr) {
    return kInvalidValue;
  }
  below = next;
  *own_count = kFunctions;
  *own = Functions().data();
  return kSuccess;
}

/// The same for loaders since 2024, which do not define any properties yet.
ARRAY_INTERFACE_LAYER int clInitLayerWithProperties(unsigned count, const void* const* next,
                                                    unsigned* own_count, const void* const** own,
                                                    const void*) {
  return clInitLayer(count, next, own_count, own);
}
