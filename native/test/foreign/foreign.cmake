# array_interface_foreign_addons(): two addons for the tests, in build/Release/test, that know nothing
# of this repository but array_interface.h: giver.node exports arrays, taker.node imports them.
set(ARRAY_INTERFACE_FOREIGN_FOLDER "${CMAKE_CURRENT_LIST_DIR}")

function(array_interface_foreign_addons)
  foreach(name giver taker)
    array_interface_addon(${name} "${ARRAY_INTERFACE_FOREIGN_FOLDER}/${name}.cpp")
    target_include_directories(${name} PRIVATE
      "${ARRAY_INTERFACE_FOREIGN_FOLDER}/../../../packages/abi/include")
    set_target_properties(${name} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/test)
  endforeach()
endfunction()
