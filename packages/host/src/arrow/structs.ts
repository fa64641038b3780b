import { ArrayInterfaceError } from '@array-interface/core';
import {
  ARROW_ARRAY,
  ARROW_SCHEMA,
  type ArrowStructs,
  type ReadMemory,
  readArrowStructs,
} from '@array-interface/core/backend';
import { addon } from '../addon.js';

const LENGTHS = { schema: ARROW_SCHEMA.byteLength, array: ARROW_ARRAY.byteLength };
/** As far as the operating system is asked at once. */
const PAGE = 4096;

/**
 * Reads where the two structs are, and proves that this process can write both. Throws
 * ERR_ARGUMENT, ERR_TYPE, ERR_POINTER_RANGE, ERR_POINTER_UNKNOWN.
 */
export function writableStructs(given: ArrowStructs): ArrowStructs<bigint> {
  const structs = readArrowStructs(given);
  for (const name of ['schema', 'array'] as const) {
    if (addon().allows(structs[name], LENGTHS[name]) === 3) continue;
    throw unknown(name, structs[name], `${LENGTHS[name]} bytes that this process can write`);
  }
  return structs;
}

/** Returns a function that copies memory of this process, once it is proved to be readable. */
export function memoryReader(): ReadMemory {
  let proved = { start: 0n, end: 0n };
  return (address, byteLength) => {
    const end = address + BigInt(byteLength);
    if (address < proved.start || end > proved.end) {
      const access = addon().access(address, Math.max(byteLength, PAGE));
      proved = { start: address, end: address + BigInt(access?.readable ?? 0) };
    }
    if (end > proved.end) throw unknown('structs', address, `${byteLength} bytes`);
    const bytes = new Uint8Array(byteLength);
    addon().copyBytes(addon().addressOf(bytes), address, byteLength);
    return bytes;
  };
}

function unknown(path: string, address: bigint, expected: string): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    path,
    `expected ${expected}, got 0x${address.toString(16)}, where it has none; pass the addresses of ` +
      'an ArrowSchema and an ArrowArray, which C functions filled in',
  );
}
