import { foreign } from './foreign.mjs';

/** A block of device memory with a layout, as another library would export it. */
export function seen(block, { offset, shape, byteStrides }, typestr) {
  const data = [block.pointer + BigInt(offset), false];
  return foreign(block, { data, shape, strides: byteStrides, typestr });
}
