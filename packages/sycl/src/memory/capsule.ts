import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { type CapsuleContents, type CapsuleRules, replace } from '@array-interface/core/backend';
import type { NativeQueue } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { contextAt } from '../work/context.js';
import { SyclQueue } from '../work/queue.js';

const QUEUE = 3;
const EVENT = 4;

/** Accepts USM memory. */
export const CAPSULES: CapsuleRules = {
  devices: [14],
  memory: 'SYCL USM memory',
  orders: [0, QUEUE, EVENT],
};

/** Returns the array of a capsule, whose `syclobj` names the producer's queue or context. */
export function withOrder(array: ArrayDescriptor, contents: CapsuleContents): ArrayDescriptor {
  return replace(array, { syclobj: syclobjOf(contents, array.pointer) });
}

/**
 * The `syclobj` by which work is ordered, or else the one that names the context. For an event it
 * is a new queue that waits for the event.
 */
function syclobjOf(
  { orderKind, order, context, handle }: CapsuleContents,
  pointer: bigint,
): unknown {
  if (orderKind === QUEUE) return { name: 'SyclQueueRef', pointer: order };
  if (orderKind === EVENT) {
    const native = queueIn(context, pointer);
    runtime().enqueueWaitForProducer(native.handle, handle);
    return new SyclQueue(native, contextAt(native.contextDevice));
  }
  return context === 0n ? null : { name: 'SyclContextRef', pointer: context };
}

/** Creates a queue on the device of the memory. */
function queueIn(context: bigint, pointer: bigint): NativeQueue {
  const contextDevice =
    context === 0n ? runtime().queryPointer(pointer).contextDevice?.handle : undefined;
  const queue =
    contextDevice === undefined
      ? runtime().adoptContext(context, pointer)
      : runtime().createQueue(contextDevice, true, false);
  if (queue !== null) return queue;
  throw new ArrayInterfaceError(
    'ERR_SYCLOBJ',
    'producer',
    'expected a live context of this SYCL runtime, got none; have its producer set `context`',
  );
}
