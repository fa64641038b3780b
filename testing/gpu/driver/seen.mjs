import { foreign } from './foreign.mjs';

/** A block of device memory seen in a layout, as another library would hand it over. */
export function seen(block, { offset, shape, byteStrides }, typestr) {
  const data = [block.pointer + BigInt(offset), false];
  return foreign(block, { data, shape, strides: byteStrides, typestr });
}
