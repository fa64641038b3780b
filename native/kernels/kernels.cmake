# array_interface_kernels(TARGET): adds the copies of the host, and the plans of those of devices, to a
# target that has native/ as include root. array_interface_kernel_registry(TARGET): adds the kernels of
# devices as C++, by what runs them where there is no device.
set(ARRAY_INTERFACE_KERNELS_FOLDER "${CMAKE_CURRENT_LIST_DIR}")

function(array_interface_kernels target)
  find_package(Threads REQUIRED)
  target_link_libraries(${target} PRIVATE Threads::Threads)
  target_sources(${target} PRIVATE
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/strided_copy.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/block_launch.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/convert.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/copy.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/copy_in_tiles.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/explain.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/gather.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/on_threads.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/pieces.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/reading.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/repeat.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/scatter.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/steps.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/host/way.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/tiling.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/row_launch.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/special_launch.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/tile_launch.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/tile_reading.cpp")
  # Nobody looks at the floating-point exceptions, which would keep conversions from vectors.
  set_source_files_properties("${ARRAY_INTERFACE_KERNELS_FOLDER}/host/convert.cpp" PROPERTIES
    COMPILE_OPTIONS -fno-trapping-math)
  # Short loops take up to a third longer where they happen to lie across lines of the cache.
  set_source_files_properties("${ARRAY_INTERFACE_KERNELS_FOLDER}/host/gather.cpp" PROPERTIES
    COMPILE_OPTIONS -falign-functions=64)
endfunction()

function(array_interface_kernel_registry target)
  target_sources(${target} PRIVATE
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/block_copy.cpp"
    "${ARRAY_INTERFACE_KERNELS_FOLDER}/registry.cpp")
endfunction()
