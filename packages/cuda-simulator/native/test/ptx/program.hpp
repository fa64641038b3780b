#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "test/harness/gpu.hpp"

// Short PTX programs, and the results of running them.

namespace test {

/// Returns PTX with these definitions.
inline std::string ptx_text(const std::string& definitions) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + definitions;
}

/// Returns a kernel `test` with up to four 64-bit inputs in %in0 to %in3. It returns what is left
/// in %o0 to %o3. %p, %h, %r, %d are registers of all sizes.
inline std::string kernel_text(const std::string& body, const std::string& before = "") {
  return ptx_text(before + R"(
.visible .entry test(.param .u64 out, .param .u64 in0, .param .u64 in1, .param .u64 in2,
                     .param .u64 in3)
{
  .reg .pred %p<8>;
  .reg .b16 %h<8>;
  .reg .b32 %r<16>;
  .reg .b64 %d<16>;
  .reg .b64 %out, %in<4>, %o<4>;
  ld.param.u64 %out, [out];
  ld.param.u64 %in0, [in0];
  ld.param.u64 %in1, [in1];
  ld.param.u64 %in2, [in2];
  ld.param.u64 %in3, [in3];
  mov.b64 %o0, 0;
  mov.b64 %o1, 0;
  mov.b64 %o2, 0;
  mov.b64 %o3, 0;
)" + body + R"(
  st.global.u64 [%out], %o0;
  st.global.u64 [%out+8], %o1;
  st.global.v2.u64 [%out+16], {%o2, %o3};
  ret;
}
)");
}

inline CUmodule load_ptx(const std::string& text) {
  CUmodule module = nullptr;
  char log[512] = "";
  int options[] = {5, 6};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const CUresult result = cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
  if (result != CUDA_SUCCESS) throw CheckFailed(std::string("refused: ") + log);
  return module;
}

inline CUfunction kernel_of(CUmodule module, const char* name = "test") {
  CUfunction function = nullptr;
  OK(cuModuleGetFunction(&function, module, name));
  return function;
}

using Words = std::vector<std::uint64_t>;

/// Launches a kernel with 64-bit arguments, and waits.
inline CUresult launch_and_wait(CUfunction function, Words arguments, unsigned threads = 1,
                                unsigned blocks = 1, unsigned shared = 0) {
  std::vector<void*> parameters;
  for (std::uint64_t& argument : arguments) parameters.push_back(&argument);
  OK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, shared, nullptr, parameters.data(),
                    nullptr));
  return cuCtxSynchronize();
}

inline CUdeviceptr device_words(const Words& words) {
  const CUdeviceptr pointer = device_memory(words.size() * 8);
  OK(cuMemcpyHtoD_v2(pointer, words.data(), words.size() * 8));
  OK(cuCtxSynchronize());  // non-blocking streams may use it
  return pointer;
}

inline Words read_words(CUdeviceptr pointer, std::size_t count) {
  Words words(count);
  OK(cuMemcpyDtoH_v2(words.data(), pointer, count * 8));
  return words;
}

/// Returns %o0 to %o3 of kernel_text(body), run by one thread.
inline Words evaluate(const std::string& body, Words inputs = {}, const std::string& before = "") {
  const CUmodule module = load_ptx(kernel_text(body, before));
  const CUdeviceptr out = device_memory(32);
  inputs.resize(4);
  inputs.insert(inputs.begin(), out);
  OK(launch_and_wait(kernel_of(module), inputs));
  const Words words = read_words(out, 4);
  OK(cuMemFree_v2(out));
  OK(cuModuleUnload(module));
  return words;
}

/// Returns the error with which kernel_text(body) fails.
inline CUresult failure_of(const std::string& body, Words inputs = {},
                           const std::string& before = "") {
  const CUmodule module = load_ptx(kernel_text(body, before));
  inputs.resize(4);
  inputs.insert(inputs.begin(), device_memory(32));
  return launch_and_wait(kernel_of(module), inputs);
}

/// Returns why a text is refused.
inline std::string refusal_of(const std::string& text) {
  CUmodule module = nullptr;
  char log[512] = "";
  int options[] = {5, 6};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  FAILS(cuModuleLoadDataEx(&module, text.c_str(), 2, options, values), CUDA_ERROR_INVALID_PTX);
  return log;
}

/// Moves the low bits of a 64-bit register into one of `bits` bits (1 for a predicate).
inline std::string narrowing(unsigned bits, const std::string& to, const std::string& from) {
  if (bits == 1) return "setp.ne.u64 " + to + ", " + from + ", 0;\n";
  if (bits == 64) return "mov.b64 " + to + ", " + from + ";\n";
  return "cvt.u" + std::to_string(bits) + ".u64 " + to + ", " + from + ";\n";
}

/// Returns the result of one instruction, whose registers have this many bits (1 for a predicate).
inline std::uint64_t calculate(const std::string& opcode, unsigned result_bits,
                               const std::vector<unsigned>& input_bits, const Words& inputs) {
  const auto register_of = [](unsigned bits, std::size_t number) {
    const char* name = bits == 1 ? "%p" : bits == 16 ? "%h" : bits == 32 ? "%r" : "%d";
    return name + std::to_string(number);
  };
  std::string body;
  std::string operands = register_of(result_bits, 0);
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const std::string to = register_of(input_bits[index], index + 1);
    const std::string from = "%in" + std::to_string(index);
    operands += ", " + to;
    body += narrowing(input_bits[index], to, from);
  }
  body += opcode + " " + operands + ";\n";
  const std::string result = register_of(result_bits, 0);
  if (result_bits == 1) {
    body += "selp.u64 %o0, 1, 0, " + result + ";\n";
  } else if (result_bits == 64) {
    body += "mov.b64 %o0, " + result + ";\n";
  } else {
    body += "cvt.u64.u" + std::to_string(result_bits) + " %o0, " + result + ";\n";
  }
  return evaluate(body, inputs)[0];
}

/// The same if all registers have `bits`.
inline std::uint64_t calculate(const std::string& opcode, unsigned bits, const Words& inputs) {
  return calculate(opcode, bits, std::vector<unsigned>(inputs.size(), bits), inputs);
}

template <class To, class From>
To as_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

inline std::uint64_t bits_of(float value) { return as_bits<std::uint32_t>(value); }
inline std::uint64_t bits_of(double value) { return as_bits<std::uint64_t>(value); }

}  // namespace test
