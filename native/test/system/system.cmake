# array_interface_refusing_system(): for the tests, build/Release/test/refusing_system.so. When preloaded,
# it makes the system refuse threads or locks.
set(ARRAY_INTERFACE_SYSTEM_FOLDER "${CMAKE_CURRENT_LIST_DIR}")

function(array_interface_refusing_system)
  add_library(refusing_system MODULE "${ARRAY_INTERFACE_SYSTEM_FOLDER}/refusing_system.cpp")
  array_interface_options(refusing_system)
  target_link_libraries(refusing_system PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(refusing_system PROPERTIES PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/test)
endfunction()
