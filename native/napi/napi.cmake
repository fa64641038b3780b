# array_interface_napi(TARGET): adds the shared addon code to a target that has native/ as include root.
set(ARRAY_INTERFACE_NAPI_FOLDER "${CMAKE_CURRENT_LIST_DIR}")

function(array_interface_napi target)
  target_sources(${target} PRIVATE
    "${ARRAY_INTERFACE_NAPI_FOLDER}/argument.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/exposed.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/failure.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/kept_objects.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/waiter.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/../library/library.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/../threads/poller.cpp")
endfunction()
