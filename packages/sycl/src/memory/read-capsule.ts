import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import {
  type CapsuleContents,
  capsuleContents,
  describeCapsule,
  replace,
} from '@array-interface/core/backend';
import type { NativeQueue } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { contextAt } from '../work/context.js';
import { SyclQueue } from '../work/queue.js';

const QUEUE = 3;
const EVENT = 4;
const CAPSULES = { devices: [14], memory: 'SYCL USM memory', orders: [0, QUEUE, EVENT] };

/** See `Driver.readCapsule`. */
export function readCapsule(capsule: object): ArrayDescriptor | null {
  const contents = runtime().takeCapsule(capsule, capsuleContents);
  if (contents === null) return null;
  const array = describeCapsule(contents, CAPSULES);
  return replace(array, { syclobj: syclobjOf(contents, array.pointer) });
}

/** What names the order, or else the context. For an event a queue of ours stands, which waits for it. */
function syclobjOf(
  { orderKind, order, context, handle }: CapsuleContents,
  pointer: bigint,
): unknown {
  if (orderKind === QUEUE) return { name: 'SyclQueueRef', pointer: order };
  if (orderKind === EVENT) {
    const native = queueIn(context, pointer);
    runtime().waitForEvent(native.queue, handle);
    return new SyclQueue(native, contextAt(native.contextDevice));
  }
  return context === 0n ? null : { name: 'SyclContextRef', pointer: context };
}

/** A new queue where the memory is. */
function queueIn(context: bigint, pointer: bigint): NativeQueue {
  const contextDevice =
    context === 0n ? runtime().find(pointer).contextDevice?.contextDevice : undefined;
  const queue =
    contextDevice === undefined
      ? runtime().adoptContext(context, pointer)
      : runtime().createQueue(contextDevice, true, false);
  if (queue !== null) return queue;
  throw new ArrayInterfaceError(
    'ERR_SYCLOBJ',
    'producer',
    'expected a live context of this SYCL runtime, got none; let its maker fill in `context`',
  );
}
