import { ArrayInterfaceError } from '../errors/error.js';

/** New JavaScript memory, zeroed. Throws ERR_OUT_OF_MEMORY in place of the engine's RangeError. */
export function newBuffer(byteLength: number): ArrayBuffer {
  try {
    return new ArrayBuffer(byteLength);
  } catch (cause) {
    throw new ArrayInterfaceError(
      'ERR_OUT_OF_MEMORY',
      null,
      `expected room for ${byteLength} bytes of JavaScript memory, got none; copy it in parts`,
      { cause },
    );
  }
}
