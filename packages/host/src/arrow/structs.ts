import { ArrayInterfaceError } from '@array-interface/core';
import {
  ARROW_ARRAY,
  ARROW_SCHEMA,
  type ArrowStructs,
  type ReadStruct,
  readArrowStructs,
} from '@array-interface/core/backend';
import { addon } from '../addon.js';

const LENGTHS = { schema: ARROW_SCHEMA.byteLength, array: ARROW_ARRAY.byteLength };
/** As far as the operating system is asked at once. */
const PAGE = 4096;

/**
 * Reads where the two structs are, and proves that this process can write both. Throws
 * ERR_ARGUMENT, ERR_TYPE, ERR_POINTER_RANGE, ERR_POINTER_UNKNOWN, ERR_OUT_OF_BOUNDS.
 */
export function writableStructs(given: ArrowStructs): ArrowStructs<bigint> {
  const structs = readArrowStructs(given);
  for (const name of ['schema', 'array'] as const) assertWritable(structs[name], name);
  return structs;
}

function assertWritable(address: bigint, name: 'schema' | 'array'): void {
  const byteLength = LENGTHS[name];
  const own = addon().find(address);
  if (own === null) {
    if (!addon().isGone(address) && addon().allows(address, byteLength) === 3) return;
    throw unknown(name, address, `${byteLength} bytes that this process can write`);
  }
  const rest = own.pointer + BigInt(own.byteLength) - address;
  if (rest >= byteLength) return;
  throw new ArrayInterfaceError(
    'ERR_OUT_OF_BOUNDS',
    name,
    `expected ${byteLength} bytes for the struct, got ${rest} until the end of the array there; ` +
      `make room for it with host.empty([${byteLength}], 'uint8')`,
  );
}

/** Returns a function that copies memory of this process, once it is proved to be readable. */
export function structReader(): ReadStruct {
  let proved = { start: 0n, end: 0n };
  return (address, byteLength, path) => {
    const end = address + BigInt(byteLength);
    if (address < proved.start || end > proved.end) {
      const isGone = addon().find(address) === null && addon().isGone(address);
      const access = isGone ? null : addon().access(address, Math.max(byteLength, PAGE));
      proved = { start: address, end: address + BigInt(access?.readable ?? 0) };
    }
    if (end > proved.end) throw unknown(path, address, `${byteLength} bytes of this process`);
    const bytes = new Uint8Array(byteLength);
    addon().copyBytes(addon().addressOf(bytes), address, byteLength);
    return new DataView(bytes.buffer);
  };
}

function unknown(path: string, address: bigint, expected: string): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    path,
    `expected ${expected}, got 0x${address.toString(16)}, where it has none; pass the addresses of ` +
      'an ArrowSchema and an ArrowArray, in this order, and keep what they are in',
  );
}
