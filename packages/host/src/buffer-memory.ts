import { type ArrayDescriptor, ArrayInterfaceError, type Buffer } from '@array-interface/core';
import { type Allocation, type Backend, Memory } from '@array-interface/core/backend';
import { addon } from './addon.js';

/**
 * An ArrayBuffer or SharedArrayBuffer. JavaScript may detach or resize it at any time, so each use
 * looks again at where it is and how long.
 */
export class BufferMemory extends Memory {
  readonly backend: Backend;
  readonly pointer: bigint;
  readonly #buffer: Buffer;

  /** Throws ERR_DISPOSED for a detached buffer. */
  constructor(backend: Backend, buffer: Buffer) {
    super();
    this.backend = backend;
    this.#buffer = buffer;
    this.pointer = addressOf(buffer, 'data');
  }

  /** Where it ends now; a resizable buffer never moves. */
  get allocation(): Allocation {
    return { pointer: this.pointer, byteLength: this.#buffer.byteLength };
  }

  override assertLive(path: string): void {
    super.assertLive(path);
    const address = addressOf(this.#buffer, path);
    if (this.#buffer.byteLength > 0 && address !== this.pointer) throw detached(path);
  }

  /** Null where JavaScript may take the memory away under a device's work. */
  override onHost(array: ArrayDescriptor): ArrayDescriptor | null {
    return this.#buffer instanceof ArrayBuffer ? null : array;
  }

  protected free(): void {}
}

function addressOf(buffer: Buffer, path: string): bigint {
  return addon().addressOf(bytesOf(buffer, path));
}

/** The engine makes no views of a detached buffer. */
function bytesOf(buffer: Buffer, path: string): Uint8Array {
  try {
    return new Uint8Array(buffer);
  } catch {
    throw detached(path);
  }
}

function detached(path: string): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_DISPOSED',
    path,
    'expected a buffer that this thread holds, got one that was detached by a transfer; ' +
      'copy it before it is transferred',
  );
}
