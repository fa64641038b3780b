#include <random>

#include "kernels/embedded.hpp"
#include "program.hpp"

using array_interface::strided_copy_ptx;
using namespace test;

namespace {

void check_refused(const std::string& text, const std::string& part) {
  const std::string reason = refusal_of(text);
  if (reason.find(part) == std::string::npos) {
    throw CheckFailed("expected '" + part + "' in '" + reason + "'");
  }
}

}  // namespace

CASE("ptx refusal: an instruction that is not known is named, with its line") {
  use_device();
  for (const char* name :
       {"tex.2d.v4.f32.s32", "wmma.load.a.sync.row.m16n16k16.f16", "mma.sync.aligned.m16n8k8",
        "vote.all.pred", "shfl.up.b32", "cp.async.ca.shared.global", "add.nonsense.s32", "add",
        "atom.global.add.u8", "cvt.rn.e4m3x2.f32", "barrier.cluster.arrive", "ld.global.b128"}) {
    const std::string text = ptx_text(".entry test() {\n.reg .b32 %r<4>;\n" + std::string(name) +
                                      " %r0, %r1, %r2;\nret;\n}\n");
    check_refused(text, std::string("'") + name + "'");
    check_refused(text, "line 6");
  }
}

CASE("ptx refusal: what makes no sense is refused with a reason") {
  use_device();
  const auto body = [](const std::string& text) { return kernel_text(text); };
  check_refused("nonsense", "expected PTX");
  check_refused("", "expected PTX");
  check_refused(".version 8.0 .address_size 32", "64 bits");
  check_refused(ptx_text(".texref t;"), "'.texref'");
  check_refused(ptx_text(".entry test( {"), "expected .param");
  check_refused(ptx_text(".entry test() {"), "end of the text");
  check_refused(ptx_text(".entry test() { ret; } .entry test() { ret; }"), "second");
  check_refused(body("add.s32 %r1, %r2;"), "3 operands");
  check_refused(body("add.s32 %r1, %r2, %r99;"), "'%r99'");
  check_refused(body("add.s32 7, %r2, %r1;"), "register");
  check_refused(body("mov.u32 %r1, nobody;"), "'nobody'");
  check_refused(body("bra nowhere;"), "'nowhere'");
  check_refused(body("@%r1 bra done; done:"), "predicate");
  check_refused(body("again: again: ret;"), "'again'");
  check_refused(body(".reg .b32 %r<4000000000>;"), "registers");
  check_refused(body(".local .b8 big[1000000];"), "512 KiB");
  check_refused(body(".local .b8 big[4611686018427387904][16];"), "2^40");
  check_refused(body("ld.global.v2.u32 {%r1}, [%d0];"), "elements");
  check_refused(body("call missing;"), "'missing'");
  check_refused(ptx_text(".extern .func missing();") + ".entry test() { call missing; ret; }",
                "definition of 'missing'");
  check_refused(ptx_text(".global .b8 text[2] = {1, 2, 3};"), "at most 2 bytes");
  check_refused(ptx_text(".global .b32 pointer = nobody;"), "'nobody'");
  check_refused(body(std::string(300, '{')), "braces");
  check_refused(body("mov.b32 %r1, {{{{{{{{%r1}}}}}}}};"), "brackets");
}

CASE("ptx refusal: a kernel is no target of a call, as for ptxas") {
  use_device();
  const std::string callee = ".visible .entry callee() { ret; }\n";
  const std::string caller = ".visible .entry test() {\n  call callee;\n  ret;\n}\n";
  check_refused(ptx_text(callee + caller), "illegal call target");
  check_refused(ptx_text(callee + caller), "line 6");
  check_refused(ptx_text(".entry callee();\n" + caller + callee), "the kernel 'callee'");
  OK(cuModuleUnload(load_ptx(ptx_text(".func callee() { ret; }\n" + caller))));
}

CASE("ptx refusal: static shared memory that no block can have, as for ptxas") {
  use_device();
  const auto text = [](const std::string& bytes) {
    return ptx_text(".visible .entry test() {\n  .shared .align 16 .b8 tile[" + bytes +
                    "];\n  .reg .b32 %r;\n  ld.shared.u32 %r, [tile];\n  ret;\n}\n");
  };
  check_refused(text("49153"), "at most 49152 bytes of static shared memory for 'test', got 49153");
  OK(cuModuleUnload(load_ptx(text("49152"))));
}

CASE("ptx refusal: texts that are cut off or changed anywhere never crash") {
  use_device();
  const std::string whole = std::string(strided_copy_ptx).substr(0, 9000);
  CUmodule module = nullptr;
  for (std::size_t length = 0; length < whole.size(); length += 37) {
    const CUresult result = cuModuleLoadData(&module, whole.substr(0, length).c_str());
    CHECK(result == CUDA_SUCCESS || result == CUDA_ERROR_INVALID_PTX);
  }
  std::mt19937 random(7);
  const std::string pieces[] = {"{",           "}",      ";",  "[",  "]", ",", "%r1",
                                "%rd70",       ".u32",   "0",  "-1", "<", ">", "bra",
                                "99999999999", ".param", "\"", "/*", "(", "|"};
  for (int round = 0; round < 400; ++round) {
    std::string text = whole + "\n}\n";
    for (int change = 0; change < 3; ++change) {
      const std::string& piece = pieces[random() % std::size(pieces)];
      text.replace(random() % text.size(), random() % 8, piece);
    }
    const CUresult result = cuModuleLoadData(&module, text.c_str());
    CHECK(result == CUDA_SUCCESS || result == CUDA_ERROR_INVALID_PTX);
  }
}

CASE_WITH("ptx refusal: programs with changed operands end, well or with an error, and never crash",
          {"CUDA_SIMULATOR_KERNEL_STEPS", "20000"}) {
  std::mt19937 random(11);
  const std::string text = strided_copy_ptx;
  for (int round = 0; round < 150; ++round) {
    use_device();
    std::string changed = text;
    for (int change = 0; change < 4; ++change) {
      const std::size_t place = changed.find("%r", random() % changed.size());
      if (place == std::string::npos || place + 3 >= changed.size()) continue;
      const std::size_t digit = place + (changed[place + 2] == 'd' ? 3 : 2);
      if (changed[digit] >= '0' && changed[digit] <= '9') {
        changed[digit] = static_cast<char>('1' + random() % 9);
      }
    }
    CUmodule module = nullptr;
    if (cuModuleLoadData(&module, changed.c_str()) == CUDA_SUCCESS) {
      Words arguments(22, 3);
      arguments[0] = device_memory(64);
      arguments[1] = device_memory(64);
      launch_and_wait(kernel_of(module, "strided_copy_4"), arguments, 8);
    }
    OK(cuDevicePrimaryCtxReset_v2(0));
  }
}
