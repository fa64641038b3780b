/** Tests whether arrays share memory: quickly by their extents, or exactly. */
export { mayShareMemory } from './may-share-memory.js';
export { overlapsItself } from './overlaps-itself.js';
export { sharesMemory } from './shares-memory.js';
