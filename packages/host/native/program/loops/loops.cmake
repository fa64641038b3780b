# array_interface_program_loops(FOLDER): the options of the loops of the programs in FOLDER. Each operation is
# rounded once, and nobody reads errno or the exceptions.
function(array_interface_program_loops folder)
  file(GLOB loops CONFIGURE_DEPENDS ${folder}/loops/*.cpp)
  set_source_files_properties(${loops} PROPERTIES COMPILE_OPTIONS
                              "-O3;-fno-unroll-loops;-ffp-contract=off;-fno-math-errno;-fno-trapping-math")
endfunction()
