/** Descriptors as plain data, which threads and JSON carry, and back. */
export { type DeserializeOptions, deserialize } from './deserialize.js';
export { type SerializedDescriptor, serialize } from './serialize.js';
