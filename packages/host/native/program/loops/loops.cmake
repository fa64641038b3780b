# array_interface_program_loops(FOLDER): the options of the loops of the programs in FOLDER. Each operation is
# rounded once, nobody reads errno or the exceptions, and clang would unroll the loops a second time. On
# x86-64, the loops of processors without wide vectors are compact: few have none.
function(array_interface_program_loops folder)
  file(GLOB loops CONFIGURE_DEPENDS ${folder}/loops/*.cpp)
  set_source_files_properties(${loops} PROPERTIES COMPILE_OPTIONS
    "-O3;-fno-unroll-loops;-fno-asynchronous-unwind-tables;-ffp-contract=off;-fno-math-errno;-fno-trapping-math")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_property(SOURCE ${folder}/loops/common.cpp APPEND PROPERTY COMPILE_OPTIONS
                 ${ARRAY_INTERFACE_COMPACT_LOOPS})
  endif()
endfunction()
