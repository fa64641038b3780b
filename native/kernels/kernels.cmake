# array_interface_kernels(TARGET): adds the copies of the host, and the plans of those of devices, to a
# target that has native/ as include root. array_interface_kernel_registry(TARGET): adds the kernels of
# devices as C++, by what runs them where there is no device.
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
  # Nobody looks at the floating-point exceptions, which would keep conversions from vectors.
  set_source_files_properties("${ARRAY_INTERFACE_KERNELS_FOLDER}/host/convert/convert.cpp" PROPERTIES
    COMPILE_OPTIONS -fno-trapping-math)
  # Short loops take up to a third longer where they happen to lie across lines of the cache.
  set_source_files_properties("${ARRAY_INTERFACE_KERNELS_FOLDER}/host/move/gather.cpp" PROPERTIES
    COMPILE_OPTIONS -falign-functions=64)
endfunction()

function(array_interface_kernel_registry target)
  target_sources(${target} PRIVATE
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/emulator/registry.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/emulator/run_blocks.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/emulator/run_kernel.cpp")
endfunction()
