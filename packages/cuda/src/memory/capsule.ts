import type { ArrayDescriptor } from '@array-interface/core';
import {
  type CapsuleContents,
  type CapsuleRules,
  ImportedCapsule,
  replace,
} from '@array-interface/core/backend';
import { libcuda } from '../find-driver.js';
import { createStream } from '../work/streams.js';

const STREAM = 1;
const EVENT = 2;

/** Accepts device, pinned and managed memory. */
export const CAPSULES: CapsuleRules = {
  devices: [2, 3, 13],
  memory: 'CUDA memory',
  orders: [0, STREAM, EVENT],
};

/**
 * Returns the array of a capsule with the stream that work follows. For an event, it is a new
 * stream that waits for the event.
 */
export function withOrder(
  array: ArrayDescriptor,
  { handle, orderKind, order, fields }: CapsuleContents,
): ArrayDescriptor {
  if (orderKind === STREAM) return replace(array, { stream: order });
  if (orderKind !== EVENT) return array;
  const stream = createStream(fields.device.id);
  libcuda().enqueueWaitForProducer(stream.native, handle);
  return replace(array, { owner: new ImportedCapsule(handle, stream), stream: stream.handle });
}
