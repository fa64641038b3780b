import { ArrayInterfaceError } from '@array-interface/core';
import type { NativeQueue } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { takeCapsule } from './capsule.js';
import { contextAt, contextOf, type SyclContext } from './context.js';
import { isOwn, SyclQueue } from './queue.js';

/** What a `syclobj` refers to: a device in a context, and the queue if it is one. */
export interface SyclobjTarget {
  readonly context: SyclContext;
  readonly queue: SyclQueue | null;
}

/**
 * Finds the queue or context behind a `syclobj` that core has read: a filter selector, a queue or
 * context object of any library, or its capsule. Dereferences a native reference only once it has
 * proved to be a live object of this runtime. Then copies the reference, since its maker may
 * release its own.
 *
 * For a context, creates a new queue on the device that `pointer` belongs to there, or on the first
 * device if `pointer` is 0. Throws ERR_SYCLOBJ, ERR_POINTER_UNKNOWN, ERR_DISPOSED. Implements SUAI
 * v1, "syclobj".
 */
export function resolveSyclobj(syclobj: unknown, pointer: bigint): SyclobjTarget {
  if (typeof syclobj === 'string') return { context: contextOf(select(syclobj)), queue: null };
  if (isOwn(syclobj)) {
    void syclobj.native; // throws once it was released
    return { context: syclobj.context, queue: syclobj };
  }
  const { name, pointer: reference } = takeCapsule(syclobj);
  const found = follow(name, reference, pointer);
  if (found === null) {
    throw new ArrayInterfaceError(
      'ERR_SYCLOBJ',
      'syclobj',
      `expected a live queue or context of this SYCL runtime, got a ${name} capsule that refers to neither; ` +
        "was it released, or is it another process's?",
    );
  }
  const queue = new SyclQueue(found, contextAt(found.contextDevice));
  return { context: queue.context, queue };
}

function follow(name: string, reference: bigint, pointer: bigint): NativeQueue | null {
  if (name === 'SyclQueueRef') return runtime().adoptQueue(reference);
  return name === 'SyclContextRef' ? runtime().adoptContext(reference, pointer) : null;
}

function select(selector: string): number {
  const device = runtime().select(selector);
  if (device !== null) return device;
  const there = runtime()
    .devices()
    .map((one) => one.selector);
  throw new ArrayInterfaceError(
    'ERR_SYCLOBJ',
    'syclobj',
    `expected a selector of one of ${there.join(', ')}, got "${selector}"; there is no such device here`,
  );
}
