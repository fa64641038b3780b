# array_interface_kernels(TARGET): adds the host's copies and the planner of device copies to a target
# that has native/ as include root. array_interface_kernel_registry(TARGET): adds the device kernels,
# compiled as C++, and what runs them without a device. array_interface_embed(TARGET ptx|spv): adds the
# modules of that kind in generated/ as the constants that embedded.hpp declares.
set(ARRAY_INTERFACE_KERNELS_FOLDER "${CMAKE_CURRENT_LIST_DIR}")

function(array_interface_kernels target)
  find_package(Threads REQUIRED)
  target_link_libraries(${target} PRIVATE Threads::Threads)
  target_sources(${target} PRIVATE
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/convert/convert.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/copy.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/copy_in_tiles.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/explain.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/move/gather.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/move/reading.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/move/repeat.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/move/scatter.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/on_threads.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/pieces.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/steps.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/way.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/launch/block_launch.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/launch/row_launch.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/launch/special_launch.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/launch/tile_launch.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/layout/strided_copy.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/layout/tile_reading.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/layout/tiling.cpp")
  # Nobody reads the floating-point exceptions, and they would prevent vectorised conversions.
  set_source_files_properties("${ARRAY_INTERFACE_KERNELS_FOLDER}/host/convert/convert.cpp" PROPERTIES
    COMPILE_OPTIONS "${ARRAY_INTERFACE_COMPACT_LOOPS};-fno-trapping-math")
  # Short loops that cross a cache line take up to a third longer.
  set_source_files_properties("${ARRAY_INTERFACE_KERNELS_FOLDER}/host/move/gather.cpp" PROPERTIES
    COMPILE_OPTIONS "-O3;-falign-functions=64")
  file(GLOB moves CONFIGURE_DEPENDS "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/*.cpp"
       "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/move/*.cpp")
  list(FILTER moves EXCLUDE REGEX "/gather.cpp$")
  set_source_files_properties(${moves} PROPERTIES COMPILE_OPTIONS -O3)
endfunction()

# As C++ in the build folder, since the caches of Zig and ccache do not see what .incbin includes. CMake
# writes it again if a module has changed.
function(array_interface_embed target kind)
  set(folder "${ARRAY_INTERFACE_KERNELS_FOLDER}/generated")
  file(GLOB modules CONFIGURE_DEPENDS "${folder}/*.${kind}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${modules})
  foreach(module IN LISTS modules)
    get_filename_component(name "${module}" NAME_WE)
    if(kind STREQUAL ptx)
      file(READ "${module}" text)
      set(constants "const char ${name}_ptx[] = R\"ptx(${text})ptx\";")
    else()
      file(READ "${module}" hex HEX)
      string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," words "${hex}")
      set(constants "static constexpr std::uint32_t words[] = {${words}};
const SpirvModule ${name}_spirv{words, sizeof words / sizeof *words};")
    endif()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded/${target}/${name}.${kind}.cpp")
    file(GENERATE OUTPUT "${source}" CONTENT "#include \"kernels/embedded.hpp\"
namespace array_interface {
${constants}
}  // namespace array_interface
")
    target_sources(${target} PRIVATE "${source}")
  endforeach()
endfunction()

function(array_interface_kernel_registry target)
  array_interface_embed(${target} ptx)
  target_sources(${target} PRIVATE
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/emulator/registry.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/emulator/run_blocks.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/emulator/run_kernel.cpp")
endfunction()
