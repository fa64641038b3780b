import { ArrayInterfaceError, type SyclCapsule } from '@array-interface/core';
import { SyclQueue } from './queue.js';
import { runtime } from './runtime.js';

/** What a `syclobj` stands for: a device, and its queue when one was handed over. */
export interface Place {
  readonly device: number;
  readonly queue: SyclQueue | null;
}

/**
 * Finds the device or queue behind a `syclobj` that core has read: a filter selector, a queue of
 * ours or its capsule. Throws ERR_SYCLOBJ for any other, and for a selector without a device.
 */
export function placeOf(syclobj: unknown): Place {
  if (typeof syclobj === 'string') return { device: select(syclobj), queue: null };
  if (syclobj instanceof SyclQueue) return { device: syclobj.device, queue: syclobj };
  const { name, pointer } = capsuleOf(syclobj);
  const found = name === 'SyclQueueRef' ? runtime().findQueue(pointer) : null;
  if (found !== null) {
    return { device: found.device, queue: new SyclQueue(found.handle, found.device) };
  }
  throw new ArrayInterfaceError(
    'ERR_SYCLOBJ',
    'syclobj',
    `expected a filter selector or a queue of this backend, got a capsule ${name} of unknown origin; ` +
      'give the selector of the device, such as "opencl:cpu"',
  );
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
    `expected a selector of one of ${there.join(', ')}, got "${selector}"; no such device is here`,
  );
}

/** The capsule itself, or the one that a queue object of another copy of this package gives. */
function capsuleOf(syclobj: unknown): SyclCapsule {
  const given = syclobj as Partial<SyclCapsule> & { _get_capsule?: () => unknown };
  const capsule = given._get_capsule?.() ?? given;
  const { name, pointer } = capsule as Partial<SyclCapsule>;
  if (typeof name === 'string' && typeof pointer === 'bigint') return { name, pointer };
  throw new ArrayInterfaceError(
    'ERR_SYCLOBJ',
    'syclobj',
    'expected a filter selector or a queue, got an object that gives no capsule',
  );
}
