#include "program.hpp"

using namespace test;

namespace {

const std::string caller = kernel_text(R"(
  {
    .param .b64 argument;
    .param .b64 value;
    st.param.b64 [argument], %in0;
    call (value), twice, (argument);
    ld.param.b64 %o0, [value];
  }
  ld.global.u64 %o1, [shared_word];
  call (), hidden, ();
)",
                                       R"(
.extern .func (.param .b64 result) twice(.param .b64 value);
.extern .global .align 8 .u64 shared_word;
.func hidden() { ret; }
)");

const std::string callee = ptx_text(R"(
.func hidden() { trap; }
.visible .global .align 8 .u64 shared_word = 9;
.visible .func (.param .b64 result) twice(.param .b64 value) {
  .reg .b64 %v;
  ld.param.u64 %v, [value];
  shl.b64 %v, %v, 1;
  st.param.b64 [result], %v;
  ret;
}
)");

const std::string archive = "!<arch>\nmachine code";
constexpr int input_ptx = 1;
constexpr int input_library = 4;

/// What cuLinkComplete says, its log, and the module that it made.
struct Linked {
  CUresult result = CUDA_SUCCESS;
  std::string log;
  CUmodule module = nullptr;
};

/// Links texts, and then an archive.
Linked link_with_library(const std::vector<std::string>& texts) {
  char log[512] = "";
  int options[] = {5, 6};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUlinkState state = nullptr;
  OK(cuLinkCreate_v2(2, options, values, &state));
  const auto add = [state](int type, std::string data) {
    OK(cuLinkAddData_v2(state, type, data.data(), data.size(), "input", 0, nullptr, nullptr));
  };
  for (const std::string& text : texts) add(input_ptx, text);
  add(input_library, archive);
  Linked linked;
  void* image = nullptr;
  linked.result = cuLinkComplete(state, &image, nullptr);
  linked.log = log;
  if (linked.result == CUDA_SUCCESS) OK(cuModuleLoadData(&linked.module, image));
  OK(cuLinkDestroy(state));
  return linked;
}

}  // namespace

CASE("ptx link: libraries give nothing, as the simulator does not read their machine code") {
  use_device();
  const Linked complete = link_with_library({caller, callee});
  EQUAL(complete.result, CUDA_SUCCESS);
  const CUdeviceptr out = device_memory(32);
  OK(launch_and_wait(kernel_of(complete.module), {out, 21, 0, 0, 0}));
  EQUAL(read_words(out, 1)[0], 42u);
  const Linked open = link_with_library({caller});
  EQUAL(open.result, CUDA_ERROR_INVALID_PTX);
  CHECK(open.log.find("'twice'") != std::string::npos);
  CHECK(open.log.find("machine code of libraries") != std::string::npos);
}

CASE("ptx link: a library has to be an archive, and a file has to be there") {
  use_device();
  CUlinkState state = nullptr;
  OK(cuLinkCreate_v2(0, nullptr, nullptr, &state));
  std::string data = callee;
  const auto add = [&](int type) {
    return cuLinkAddData_v2(state, type, data.data(), data.size(), "", 0, nullptr, nullptr);
  };
  FAILS(add(input_library), CUDA_ERROR_INVALID_IMAGE);
  OK(add(input_ptx));
  FAILS(cuLinkAddFile_v2(state, input_library, "/nowhere/libcudadevrt.a", 0, nullptr, nullptr),
        CUDA_ERROR_FILE_NOT_FOUND);
  OK(cuLinkDestroy(state));
}

CASE("ptx link: texts behind one another share visible names, and keep others apart") {
  use_device();
  for (const std::string& text : {caller + callee, callee + caller}) {
    const CUdeviceptr out = device_memory(32);
    OK(launch_and_wait(kernel_of(load_ptx(text)), {out, 21, 0, 0, 0}));
    const Words got = read_words(out, 2);
    EQUAL(got[0], 42u);
    EQUAL(got[1], 9u);
  }
  CHECK(refusal_of(caller).find("twice") != std::string::npos);
  CHECK(refusal_of(callee + callee).find("second") != std::string::npos);
}

CASE("ptx link: of weak and common definitions the first one counts") {
  use_device();
  const std::string weak = R"(
.common .global .align 8 .u64 common_word;
.weak .func (.param .b64 result) answer() { st.param.b64 [result], 1; ret; }
)";
  const std::string again = ptx_text(R"(
.common .global .align 8 .u64 common_word;
.weak .func (.param .b64 result) answer() { st.param.b64 [result], 2; ret; }
)");
  const std::string body = R"(
  { .param .b64 value; call (value), answer, (); ld.param.b64 %o0, [value]; }
  ld.global.u64 %o1, [common_word];
)";
  const CUdeviceptr out = device_memory(32);
  const CUmodule module = load_ptx(kernel_text(body, weak) + again);
  OK(launch_and_wait(kernel_of(module), {out, 0, 0, 0, 0}));
  EQUAL(read_words(out, 2)[0], 1u);
  EQUAL(read_words(out, 2)[1], 0u);
}

CASE("ptx link: a variable of a module lies in device memory as long as the module is loaded") {
  use_device();
  std::size_t before = 0;
  std::size_t during = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  OK(cuMemGetInfo_v2(&before, &total));
  const CUmodule module = load_ptx(ptx_text(".visible .global .align 4 .b8 bytes[1000];\n"));
  OK(cuMemGetInfo_v2(&during, &total));
  OK(cuModuleUnload(module));
  OK(cuMemGetInfo_v2(&after, &total));
  EQUAL(before - during, 1000u);
  EQUAL(after, before);
}

CASE("ptx link: programs with very many variables load, each bounded as an allocation is") {
  use_device();
  std::string variables;
  for (int index = 0; index < 50; ++index) {
    variables += ".visible .global .u32 v" + std::to_string(index) + " = 7;\n";
  }
  std::vector<CUmodule> modules;
  modules.reserve(600);
  for (int count = 0; count < 600; ++count) modules.push_back(load_ptx(ptx_text(variables)));
  OK(cuModuleUnload(modules.front()));
  CUdeviceptr variable = 0;
  CUdeviceptr next = 0;
  std::size_t size = 0;
  OK(cuModuleGetGlobal_v2(&variable, &size, modules.back(), "v0"));
  OK(cuModuleGetGlobal_v2(&next, nullptr, modules.back(), "v1"));
  EQUAL(size, 4u);
  unsigned words[2] = {};
  OK(cuMemcpyDtoH_v2(words, next, 4));
  EQUAL(words[0], 7u);
  FAILS(cuMemcpyDtoH_v2(words, variable, 8), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyDtoH_v2(words, next - 4, 4), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemFree_v2(next), CUDA_ERROR_INVALID_VALUE);
  device_memory(1);
}

PROGRAM("ptx link: leaves a module") {
  use_device();
  load_ptx(ptx_text(".visible .global .align 4 .b8 bytes[1000];\n"));
}

CASE("ptx link: variables of a module that stays loaded are no leaks") {
  const Ending ending = run_program("ptx link: leaves a module", {{"CUDA_SIMULATOR_LEAKS", "1"}});
  EQUAL(ending.status, 0);
  CHECK(ending.error_text.find("leaks: 0 allocations") != std::string::npos);
}
