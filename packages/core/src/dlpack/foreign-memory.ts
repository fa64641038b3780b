import { memoryOf } from '../descriptor/memory-part.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { badArgument } from '../input/argument.js';
import { asked } from '../input/dict.js';
import { isAddress } from '../input/integer.js';

/** Reads memory of this process, as `koffi.view` does. Returns the bytes themselves or a copy. */
export type ReadMemory = (address: bigint, byteLength: number) => ArrayBufferLike | ArrayBufferView;

/**
 * Returns the bytes at an address, read by a caller's function. Throws ERR_NULL_POINTER,
 * ERR_OVERFLOW, ERR_OUT_OF_BOUNDS (it returned fewer), ERR_ARGUMENT (it threw, or returned
 * something else).
 */
export function bytesAt(
  read: ReadMemory,
  address: bigint,
  byteLength: number,
  path: string,
): DataView {
  if (address === 0n) throw mismatch('ERR_NULL_POINTER', path, 'an address', '0');
  if (!isAddress(address + BigInt(byteLength))) {
    const expected = `an address followed by ${byteLength} bytes`;
    throw mismatch('ERR_OVERFLOW', path, expected, 'one too close to 2^64');
  }
  const given = asked('ERR_ARGUMENT', 'read', () => read(address, byteLength));
  const memory = memoryOf(given);
  if (memory === null) throw badArgument('read', 'a function that returns a buffer', given);
  if (memory.byteLength >= byteLength) {
    return new DataView(memory.buffer, memory.byteOffset, byteLength);
  }
  throw mismatch(
    'ERR_OUT_OF_BOUNDS',
    path,
    `read to return ${byteLength} bytes`,
    `${memory.byteLength}`,
  );
}

/** Reads the option `read`. Throws ERR_ARGUMENT. */
export function readReader(value: unknown): ReadMemory {
  if (typeof value === 'function') return value as ReadMemory;
  throw badArgument('read', 'a function that reads memory', value, show(value));
}
