import type { ArrayDescriptor } from '@array-interface/core';
import {
  capsuleContents,
  describeCapsule,
  ImportedCapsule,
  replace,
} from '@array-interface/core/backend';
import { libcuda } from '../find-driver.js';
import type { Streams } from '../work/streams.js';

const STREAM = 1;
const EVENT = 2;
const CAPSULES = { devices: [2, 3, 13], memory: 'CUDA memory', orders: [0, STREAM, EVENT] };

/**
 * Implements `Driver.readCapsule`. For an event, the descriptor names a new stream that waits for
 * the event.
 */
export function readCapsule(streams: Streams, capsule: object): ArrayDescriptor | null {
  const contents = libcuda().importCapsule(capsule, capsuleContents);
  if (contents === null) return null;
  const { handle, orderKind, order, fields } = contents;
  const array = describeCapsule(contents, CAPSULES);
  if (orderKind === STREAM) return replace(array, { stream: order });
  if (orderKind !== EVENT) return array;
  const stream = streams.create(fields.device.id);
  libcuda().enqueueWaitForProducer(stream.native, handle);
  return replace(array, { owner: new ImportedCapsule(handle, stream), stream: stream.handle });
}
