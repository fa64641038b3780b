import threads from 'node:worker_threads';
import { ArrayInterfaceError } from '@array-interface/core';

// What native code asks of JavaScript for the memory that it lends to Python.

/** False in a worker: V8 frees its memory when it ends, whatever Python has. */
export { isMainThread } from 'node:worker_threads';

const descriptor = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'resizable');
/** V8's own getter, of which no program's code is part. Every supported Node has it. */
export const resizable: (() => boolean) | undefined = descriptor?.get;

/** Since Node 21. */
const { isMarkedAsUntransferable: isMarked } = threads as {
  readonly isMarkedAsUntransferable?: (object: object) => boolean;
};
let stopsTransfer: boolean | null = null;

/**
 * Makes a buffer that Python keeps one that cannot be transferred, for ever: nothing takes the mark
 * back. Those of `asTypedArray` have one, of another kind, from the start.
 */
export function holdBuffer(buffer: ArrayBuffer): void {
  const wasMarked = isMarked?.(buffer) === true;
  if (!wasMarked) threads.markAsUntransferable(buffer);
  stopsTransfer ??= doesMarkStopTransfer();
  if (stopsTransfer && !wasMarked) return;
  for (const name of ['transfer', 'transferToFixedLength']) {
    const value = refuseTransfer;
    if (name in buffer) Reflect.defineProperty(buffer, name, { value, configurable: true });
  }
}

/** Whether `transfer` refuses a marked buffer: since Node 24. Node 20 has no such method. */
function doesMarkStopTransfer(): boolean {
  const buffer = new ArrayBuffer(1);
  threads.markAsUntransferable(buffer);
  try {
    (buffer as { transfer?: () => unknown }).transfer?.();
  } catch {
    return true;
  }
  return buffer.byteLength === 1;
}

function refuseTransfer(): never {
  throw new ArrayInterfaceError(
    'ERR_PENDING',
    null,
    'expected a buffer that Python has never kept, got one that it keeps, or kept; pass it a copy, ' +
      'as array.slice() makes one',
  );
}
