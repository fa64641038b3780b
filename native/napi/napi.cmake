# array_interface_napi(TARGET): adds the shared addon code to a target that has native/ as include root.
set(ARRAY_INTERFACE_NAPI_FOLDER "${CMAKE_CURRENT_LIST_DIR}")

function(array_interface_napi target)
  target_sources(${target} PRIVATE
    "${ARRAY_INTERFACE_NAPI_FOLDER}/argument.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/mapped_buffer.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/failure.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/object_refs.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/plan.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/promise_settler.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/../library/library.cpp"
    "${ARRAY_INTERFACE_NAPI_FOLDER}/../threads/poller.cpp")
endfunction()
