import type { ArrayDescriptor, BorrowOptions } from '@array-interface/core';
import { ArrayInterfaceError } from '@array-interface/core';
import {
  capsuleContents,
  describeCapsule,
  internals,
  type Memory,
  replace,
} from '@array-interface/core/backend';
import { addon } from '../addon.js';

const READY = 0;
/** Accepts host memory, and CUDA's pinned and managed memory, if no work on it is pending. */
const CAPSULES = {
  ...{ devices: [1, 3, 13], memory: 'memory that this process can access', orders: [READY] },
  cure: ", or wait for it and pass { sync: 'none' } to asArray",
};

/**
 * Reads a capsule, as `Driver.readCapsule` specifies. Takes only capsules without pending work,
 * since the host's queues cannot wait for another library's order.
 */
export function readCapsule(capsule: object, options?: BorrowOptions): ArrayDescriptor | null {
  const contents = addon().importCapsule(capsule, capsuleContents);
  if (contents === null) return null;
  const orders = options?.sync === 'none' ? [contents.orderKind] : CAPSULES.orders;
  return describeCapsule(contents, { ...CAPSULES, orders });
}

/**
 * Imports a backend's array, as `Driver.importFrom` specifies. The array's own capsule keeps the
 * memory, even after its owner ends. The host's queues cannot wait for the capsule's order, so the
 * caller guarantees that nothing is pending.
 */
export function importFrom(
  memory: Memory,
  array: ArrayDescriptor,
  { sync }: BorrowOptions,
): ArrayDescriptor | null {
  const there = internals(memory).onHost(array);
  if (there === null) return null;
  const contents = addon().importCapsule(internals(memory).exportCapsule(array), capsuleContents);
  if (contents === null) return null;
  const { orderKind, fields } = contents;
  if (orderKind !== READY && sync !== 'none') throw mayBePending(memory);
  const rules = { ...CAPSULES, devices: [fields.device.type], orders: [orderKind] };
  const { owner } = describeCapsule(contents, rules);
  return replace(there, { owner, base: null, stream: null, syclobj: null });
}

function mayBePending({ backend: { name } }: Memory): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_STREAM',
    'producer',
    `expected an array without pending work, got one of the ${name} backend, whose queues the ` +
      "host cannot wait for; await array.synchronize(), then pass { sync: 'none' }, or copy it with host.array()",
  );
}
