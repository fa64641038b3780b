# array_interface_addon(NAME sources…): builds NAME.node in build/Release from the sources.
# Called from the CMakeLists.txt of a package, which cmake-js configures.
# NAME_exports is the map of its exports, if it has more of them than Node looks for.
# -DSANITIZE=ON adds AddressSanitizer and UndefinedBehaviorSanitizer, -DSANITIZE_THREADS=ON adds
# ThreadSanitizer: use one of them. -g1 is enough for the functions and lines that they report.

option(SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(SANITIZE_THREADS "Build with ThreadSanitizer" OFF)
set(ARRAY_INTERFACE_NATIVE "${CMAKE_CURRENT_LIST_DIR}/.." CACHE INTERNAL "Include root of all C++")

# Options of files with many loops of which few are hot: vectors, but not -O3's copies of the last steps of
# each loop, nor clang's of its body; and no tables for exceptions, which no loop throws.
set(ARRAY_INTERFACE_COMPACT_LOOPS -O2 -ftree-vectorize -fno-unroll-loops -fno-asynchronous-unwind-tables)

# array_interface_options(TARGET): the language level, warnings and include root that all C++ shares.
function(array_interface_options target)
  target_compile_features(${target} PRIVATE cxx_std_17)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE "${ARRAY_INTERFACE_NATIVE}")
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror)
  if(NOT SANITIZE AND NOT SANITIZE_THREADS AND NOT FUZZ)
    # Hardening against memory errors. scripts/release/check.mjs looks for it.
    target_compile_options(${target} PRIVATE -fstack-protector-strong
                           $<$<CONFIG:Release>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
    target_link_options(${target} PRIVATE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  endif()
  if(SANITIZE)
    # initial-exec: otherwise GCC 12's LeakSanitizer looks for the thread-local memory of a library that
    # was loaded late in the wrong place, and crashes.
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer
                           -fno-sanitize-recover=undefined -ftls-model=initial-exec -g1)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
  if(SANITIZE_THREADS)
    target_compile_options(${target} PRIVATE -fsanitize=thread -fno-omit-frame-pointer -g1)
    target_link_options(${target} PRIVATE -fsanitize=thread)
  endif()
endfunction()

# array_interface_node_api(TARGET): Node's headers and their definitions.
function(array_interface_node_api target)
  target_include_directories(${target} SYSTEM PRIVATE ${CMAKE_JS_INC})
  target_compile_definitions(${target} PRIVATE NAPI_VERSION=8 NODE_ADDON_API_CPP_EXCEPTIONS)
endfunction()

# array_interface_compact(TARGET): what is published, compiled for size as well: most of an addon runs once
# per call. Files with loops over elements set -O3 themselves.
function(array_interface_compact target)
  # At -O2, clang inlines more than GCC; and it keeps equal functions apart, as do many loops of signed and
  # unsigned integers.
  set(level $<IF:$<CXX_COMPILER_ID:Clang>,-Os$<SEMICOLON>SHELL:-Xclang -fmerge-functions,-O2>)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}> -ffunction-sections -fdata-sections)
endfunction()

# array_interface_objects(NAME sources…): compiles sources that several addons of a package share.
function(array_interface_objects name)
  add_library(${name} OBJECT ${ARGN})
  array_interface_options(${name})
  array_interface_node_api(${name})
  array_interface_compact(${name})
endfunction()

function(array_interface_addon name)
  if(NOT ARGN)
    message(STATUS "${name}: no sources, nothing to build")
    return()
  endif()
  find_package(Threads REQUIRED)
  add_library(${name} SHARED ${ARGN} ${CMAKE_JS_SRC})
  array_interface_options(${name})
  array_interface_node_api(${name})
  array_interface_compact(${name})
  # Any other export could be bound to by libraries that are loaded later, and be replaced by one of an
  # earlier library.
  set(exports "${ARRAY_INTERFACE_NATIVE}/cmake/exports.map")
  if(DEFINED ${name}_exports)
    set(exports "${${name}_exports}")
  endif()
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".node" LINK_DEPENDS "${exports}")
  target_link_options(${name} PRIVATE "-Wl,--version-script=${exports}")
  target_link_libraries(${name} PRIVATE ${CMAKE_JS_LIB} ${CMAKE_DL_LIBS} Threads::Threads)
endfunction()
