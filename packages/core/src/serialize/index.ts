/** Converts descriptors to plain data, for threads and JSON, and back. */
export { type DeserializeOptions, deserialize } from './deserialize.js';
export { type SerializedDescriptor, serialize } from './serialize.js';
