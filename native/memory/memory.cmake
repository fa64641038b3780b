# array_interface_memory(TARGET): memory, the order of work on it and its way back, as all device
# backends have it.
function(array_interface_memory target)
  set(native ${ARRAY_INTERFACE_NATIVE})
  target_sources(${target} PRIVATE ${native}/order/order.cpp ${native}/memory/block.cpp
    ${native}/memory/block_table.cpp ${native}/memory/holder.cpp ${native}/memory/reclaimer.cpp
    ${native}/memory/reclaimer/cache.cpp ${native}/memory/reclaimer/ended.cpp
    ${native}/memory/reclaimer/pressure.cpp ${native}/memory/reclaimer/releaser.cpp
    ${native}/memory/reclaimer/shelf.cpp ${native}/memory/reclaimer/watcher.cpp
    ${native}/memory/work.cpp)
endfunction()
