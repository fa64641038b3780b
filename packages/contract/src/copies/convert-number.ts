import type { DType } from '@array-interface/core';
import type { Convert } from '../support/reference.js';

type Methods = 'Int8' | 'Uint8' | 'Int16' | 'Uint16' | 'Int32' | 'Uint32' | 'Float32' | 'Float64';

const METHODS: Readonly<Record<string, Methods>> = {
  ...{ i1: 'Int8', i2: 'Int16', i4: 'Int32', f4: 'Float32', f8: 'Float64' },
  ...{ u1: 'Uint8', u2: 'Uint16', u4: 'Uint32' },
};

/**
 * Converts a number of up to 32 bits to a type that can hold it, by DataView, in either byte order.
 * Bytes of the same dtype stay as they are.
 */
export function convertNumber(from: DType, to: DType): Convert {
  if (from.typestr === to.typestr) return (bytes) => bytes;
  const [read, write] = [methodOf(from), methodOf(to)];
  return (bytes) => {
    const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const made = new DataView(new ArrayBuffer(to.itemsize));
    const value = source[`get${read}`](0, from.byteOrder !== 'big');
    made[`set${write}`](0, value, to.byteOrder !== 'big');
    return new Uint8Array(made.buffer);
  };
}

function methodOf({ kind, itemsize, typestr }: DType): Methods {
  const method = METHODS[`${kind}${itemsize}`];
  if (method === undefined) throw new Error(`the reference does not convert ${typestr}`);
  return method;
}
