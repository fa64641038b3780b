# array_interface_memory(TARGET): adds memory, the order of work on it and the allocator, which all
# device backends share.
function(array_interface_memory target)
  set(native ${ARRAY_INTERFACE_NATIVE})
  target_sources(${target} PRIVATE ${native}/ordering/dependency_tracker.cpp ${native}/memory/block.cpp
    ${native}/memory/block_table.cpp ${native}/memory/memory_ref.cpp ${native}/memory/caching_allocator.cpp
    ${native}/memory/caching_allocator/cache.cpp ${native}/memory/caching_allocator/pending_free.cpp
    ${native}/memory/caching_allocator/release_counter.cpp ${native}/memory/caching_allocator/releaser.cpp
    ${native}/memory/caching_allocator/free_list.cpp ${native}/memory/caching_allocator/pending_poller.cpp
    ${native}/memory/work.cpp)
endfunction()
