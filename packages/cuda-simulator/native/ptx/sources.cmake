# The PTX interpreter, relative to this folder.
set(ptx_sources
  approximate atomic barrier bits block body builtin carry compare control convert declaration
  decoder float float16 initializer integer launch lexer linker memory move parser print program real
  scope special_register statement thread type warp)
list(TRANSFORM ptx_sources REPLACE "(.+)" "native/ptx/\\1.cpp")

# Its tests, of which each case is in simulator-tests.
set(ptx_tests ptx_bits ptx_block ptx_block_copy ptx_compare ptx_control ptx_convert ptx_float ptx_integer ptx_link
  ptx_memory ptx_refusal ptx_strided_copy)
list(TRANSFORM ptx_tests REPLACE "(.+)" "native/test/\\1.cpp")
