# array_interface_program_loops(FOLDER): the options of the loops of programs, which are in FOLDER. Each
# operation is rounded once, and nobody reads errno or the exceptions.
function(array_interface_program_loops folder)
  set(loops -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math)
  set_source_files_properties(${folder}/loops_common.cpp PROPERTIES COMPILE_OPTIONS "${loops}")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set_source_files_properties(${folder}/loops_avx2.cpp PROPERTIES COMPILE_OPTIONS "${loops};-mavx2")
    set_source_files_properties(${folder}/loops_avx512.cpp PROPERTIES COMPILE_OPTIONS
                                "${loops};-mavx512f;-mavx512dq;-mavx512bw;-mavx512vl")
  endif()
endfunction()
