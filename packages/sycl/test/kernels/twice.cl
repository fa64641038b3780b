// Doubles numbers, by way of local memory: each item hands its own to its mirror in the group.
__kernel void twice(__global float *at, uint n, __local float *room) {
  const uint item = get_global_id(0);
  const uint mine = get_local_id(0);
  const uint mirror = get_local_size(0) - 1 - mine;
  room[mirror] = item < n ? at[item] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < n) at[item] = 2 * room[mirror];
}

// Adds so many ones, one after the other: work that takes a while.
__kernel void climb(__global int *at, uint steps) {
  volatile __global int *place = at + get_global_id(0);
  for (uint i = 0; i < steps; ++i) *place += 1;
}
