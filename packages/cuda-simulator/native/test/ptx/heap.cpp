#include "program.hpp"

// malloc and free of kernels.

using namespace test;

namespace {

const std::string declarations = R"(
.extern .func (.param .b64 result) malloc (.param .b64 size);
.extern .func free (.param .b64 pointer);
)";

/// Allocates as many bytes as `size` says, into the register `to`.
std::string take(const std::string& to, const std::string& size) {
  return "{ .param .b64 p; .param .b64 r; st.param.b64 [p], " + size +
         "; call.uni (r), malloc, (p); ld.param.b64 " + to + ", [r]; }\n";
}

std::string give(const std::string& from) {
  return "{ .param .b64 p; st.param.b64 [p], " + from + "; call.uni free, (p); }\n";
}

}  // namespace

CASE("ptx heap: blocks are apart, fresh, aligned, and keep their content between launches") {
  use_device();
  const Words first = evaluate(take("%o0", "24") + take("%o1", "1") + R"(
  ld.u64 %o2, [%o0];
  st.u64 [%o0+16], 77;
)",
                               {}, declarations);
  EQUAL(first[0] % 16, 0u);
  EQUAL(first[1] % 16, 0u);
  CHECK(first[1] >= first[0] + 24 + 16);
  EQUAL(first[2], 0xCBCBCBCBCBCBCBCBu);
  EQUAL(evaluate("ld.u64 %o0, [%in0+16];", {first[0]})[0], 77u);
}

CASE("ptx heap: null for more than there is, or nothing; free takes null") {
  use_device();
  OK(cuCtxSetLimit(2, 4096));
  const Words got = evaluate(take("%o0", "5000") + take("%o1", "0") + take("%o2", "4000") +
                                 take("%o3", "200") + give("%o0"),
                             {}, declarations);
  EQUAL(got[0], 0u);
  EQUAL(got[1], 0u);
  CHECK(got[2] != 0);
  EQUAL(got[3], 0u);
  FAILS(cuCtxSetLimit(2, 8192), CUDA_ERROR_INVALID_VALUE);  // a kernel has used it
  EQUAL(evaluate(give("%in0") + take("%o0", "4000"), {got[2]}, declarations)[0], got[2]);
}

CASE("ptx heap: touching a block after free, or beyond its end, is an error") {
  const std::string touch[] = {
      take("%d0", "16") + give("%d0") + "ld.u64 %o0, [%d0];",
      take("%d0", "16") + "st.u64 [%d0+16], 1;",
      take("%d0", "16") + give("%d0") + give("%d0"),
      take("%d0", "16") + "add.u64 %d0, %d0, 8;" + give("%d0"),
  };
  for (const std::string& body : touch) {
    use_device();
    FAILS(failure_of(body, {}, declarations), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuDevicePrimaryCtxReset_v2(0));
  }
}

CASE("ptx heap: the program can neither copy it nor free it, and it is not counted as its own") {
  use_device();
  const std::uint64_t pointer = evaluate(take("%o0", "64"), {}, declarations)[0];
  const unsigned long live = simcuda_live("allocations");
  FAILS(cuMemFree_v2(pointer), CUDA_ERROR_INVALID_VALUE);
  EQUAL(live, 0u);
}
