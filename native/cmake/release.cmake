# A toolchain file that builds for ARRAY_INTERFACE_TARGET, a target of a release, with ARRAY_INTERFACE_ZIG,
# the path of Zig. scripts/release/build.mjs sets both, and scripts/release/targets.mjs defines the
# targets. docs/internals/adr/0014-binaries-in-platform-packages.md says why.
set(target "$ENV{ARRAY_INTERFACE_TARGET}")  # Zig's name: x86_64-linux-gnu.2.28
set(zig "$ENV{ARRAY_INTERFACE_ZIG}")
string(REGEX MATCH "^[^-]+" processor "${target}")
string(REGEX REPLACE "\\.[0-9.]+$" "" triple "${target}")

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_TRY_COMPILE_CONFIGURATION Release)

if(triple MATCHES "musl$")
  # Zig's clang and libc++, statically linked.
  set(CMAKE_CXX_COMPILER "${zig}" c++ -target ${target})
  set(CMAKE_SHARED_LINKER_FLAGS_INIT "-s")
  return()
endif()

# GCC, as everywhere else. This machine's libstdc++ is newer than users' ones, so it is linked statically.
# The unwinder must not be: with two of them in a process, an exception that crosses libraries ends it.
if(NOT CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL processor)
  set(CMAKE_CXX_COMPILER ${triple}-g++)
endif()
set(compiler ${CMAKE_CXX_COMPILER})
if(NOT compiler)
  set(compiler c++)
endif()
foreach(library libstdc++.a libgcc.a libgcc_s.so.1)
  execute_process(COMMAND ${compiler} -print-file-name=${library}
                  OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND runtime "${file}")
endforeach()
list(JOIN runtime " " runtime)
set(CMAKE_CXX_CREATE_SHARED_LIBRARY
    "${zig} cc -target ${target} -shared -s -Wl,--gc-sections <LINK_FLAGS> <SONAME_FLAG><TARGET_SONAME> <OBJECTS> -o <TARGET> <LINK_LIBRARIES> ${runtime}")
set(CMAKE_CXX_CREATE_SHARED_MODULE "${CMAKE_CXX_CREATE_SHARED_LIBRARY}")
