# array_interface_capsule(TARGET): adds the code that exports and imports capsules to a target that has
# the shared addon code. The header's package is not needed at run time.
set(ARRAY_INTERFACE_CAPSULE_FOLDER "${CMAKE_CURRENT_LIST_DIR}")

function(array_interface_capsule target)
  target_sources(${target} PRIVATE
    "${ARRAY_INTERFACE_CAPSULE_FOLDER}/exported.cpp"
    "${ARRAY_INTERFACE_CAPSULE_FOLDER}/imported.cpp")
  target_include_directories(${target} PRIVATE
    "${ARRAY_INTERFACE_CAPSULE_FOLDER}/../../packages/abi/include")
endfunction()
