import { constants } from 'node:buffer';
import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type DType,
  type TypedArray,
} from '@array-interface/core';
import { typedArray } from '@array-interface/core/backend';
import type { SyclMemory } from './memory.js';
import { runtime } from './runtime.js';

/** The buffer over a memory, made anew once the last one was collected. */
const buffers = new WeakMap<SyclMemory, WeakRef<ArrayBuffer>>();
/**
 * The producer that a buffer needs. Not a reference from the buffer's finalizer: a producer that
 * keeps its own typed array would then never go.
 */
const producers = new WeakMap<ArrayBuffer, unknown>();

/**
 * An array's elements in place. Throws ERR_READ_ONLY, ERR_NOT_ACCESSIBLE, ERR_DTYPE_UNSUPPORTED,
 * ERR_BYTE_ORDER.
 */
export function exposedArray(array: ArrayDescriptor, memory: SyclMemory): TypedArray {
  if (array.readOnly) {
    throw new ArrayInterfaceError(
      'ERR_READ_ONLY',
      'array',
      'expected a writable array, got a read-only one, which a typed array cannot be; copy it with ' +
        'toTypedArray()',
    );
  }
  const kind = memory.memoryKind;
  if (kind !== 'shared' && kind !== 'host') throw inaccessible(`${kind} memory`);
  if (!array.contiguous.c) throw inaccessible('elements in another order or with gaps');
  const { pointer, byteLength } = memory.allocation ?? {
    pointer: array.pointer,
    byteLength: array.nbytes,
  };
  const size = elementSize(array.dtype);
  const offset = Number(array.pointer - pointer);
  const isAligned = offset % size === 0 && array.pointer % BigInt(size) === 0n;
  if (array.size > 0 && !isAligned) {
    throw inaccessible(`elements at 0x${array.pointer.toString(16)}`);
  }
  if (byteLength > constants.MAX_LENGTH) throw inaccessible(`a block of ${byteLength} bytes`);
  const buffer = bufferOver(memory, pointer, byteLength);
  return typedArray(buffer, array.dtype, array.size === 0 ? 0 : offset, array.nbytes);
}

/** Bytes that JavaScript reads at once: one of a string or record, half of a complex number. */
function elementSize({ kind, itemsize }: DType): number {
  if (kind === 'S' || kind === 'U' || kind === 'V') return 1;
  return kind === 'c' ? itemsize / 2 : itemsize;
}

function bufferOver(memory: SyclMemory, pointer: bigint, byteLength: number): ArrayBuffer {
  const known = buffers.get(memory)?.deref();
  // A buffer that was transferred away is empty.
  if (known?.byteLength === byteLength && memory.allocation !== null) return known;
  const buffer = runtime().expose(memory.handle, pointer, byteLength);
  if (buffer === null) throw inaccessible('a Node that has only buffers of its own');
  producers.set(buffer, memory.producer);
  buffers.set(memory, new WeakRef(buffer));
  return buffer;
}

function inaccessible(got: string): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    'array',
    'expected aligned elements in C order in shared or host memory, in a block that this Node has ' +
      `an ArrayBuffer for, got ${got}; ` +
      'copy them with toTypedArray()',
  );
}
