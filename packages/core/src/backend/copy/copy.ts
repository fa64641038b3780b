import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { sameDType } from '../../dtype/dtype.js';
import { copyBuffers } from '../../plan/copy-buffers.js';
import { acquire, temporary } from '../access/acquire.js';
import { Deadline } from '../access/deadline.js';
import { type Driver, driverOf } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';
import type { CopyOptions } from '../interface/options.js';
import { countDeferred, enqueuedSince } from '../order/deferred-work.js';
import { copyBetweenBackends } from './between-backends.js';
import { download } from './download.js';
import { ProgressTracker } from './progress.js';
import { upload } from './upload.js';
import { copyWithin } from './within.js';

/**
 * Does a checked copy in the way that its two sides need. Returns null if it is enqueued and there
 * is nothing to wait for.
 */
export function copy(
  driver: Driver,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  options: CopyOptions,
): Promise<void> | null {
  if (to.buffer !== null) return copyToJavaScript(driver, to, from, options);
  return from.buffer === null
    ? copyMemory(driver, to, from, options)
    : copyFromJavaScript(driver, to, from, options);
}

function copyMemory(
  driver: Driver,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  options: CopyOptions,
): Promise<void> | null {
  const before = countDeferred();
  const target = acquire(driver, to, 'destination');
  try {
    const origin = acquire(driver, from, 'source');
    try {
      const isOurs = areOf(driver, target.memory, origin.memory);
      if (!isOurs || !copyWithin(driver, target, origin, options.queue, options.rounding)) {
        return copyBetweenBackends(driver, target, origin, options);
      }
    } finally {
      origin.memory.release();
    }
  } finally {
    target.memory.release();
  }
  return reportOnce(enqueuedSince(before, options.signal), to, options);
}

function reportOnce(
  pending: Promise<void> | null,
  to: ArrayDescriptor,
  options: CopyOptions,
): Promise<void> | null {
  if (pending !== null) return pending.then(() => report(to, options));
  report(to, options);
  return null;
}

function report({ nbytes }: ArrayDescriptor, { onProgress }: CopyOptions): void {
  if (onProgress) new ProgressTracker(nbytes, onProgress).add(nbytes);
}

function areOf(driver: Driver, one: Memory, other: Memory): boolean {
  if (driverOf(one) !== driver) return false;
  return one.backend === other.backend || driverOf(other) === driver;
}

async function copyToJavaScript(
  driver: Driver,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  options: CopyOptions,
): Promise<void> {
  const tracker = new ProgressTracker(to.nbytes, options.onProgress);
  if (from.buffer === null) return download(driver, to, from, options, tracker);
  if (sameDType(to.dtype, from.dtype)) copyBuffers(to, from);
  else await convertBuffers(driver, to, from, options);
  tracker.add(to.nbytes);
}

function copyFromJavaScript(
  driver: Driver,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  options: CopyOptions,
): Promise<void> | null {
  return reportOnce(uploadNow(driver, to, from, options), to, options);
}

/** Reads the JavaScript memory now. Settles when everything is enqueued, which null says is so. */
function uploadNow(
  driver: Driver,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  { queue, signal, rounding }: CopyOptions,
): Promise<void> | null {
  const before = countDeferred();
  upload(driver, to, from, queue, rounding);
  return enqueuedSince(before, signal);
}

/** Converts numbers within JavaScript memory, through memory of the backend. */
async function convertBuffers(
  driver: Driver,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  options: CopyOptions,
): Promise<void> {
  const { queue } = options;
  const place = queue === undefined ? {} : { queue };
  const { array, memory } = temporary(driver, place, from.shape, to.dtype, new Deadline());
  try {
    await uploadNow(driver, array, from, options);
    await download(driver, to, array, options, new ProgressTracker(to.nbytes));
  } finally {
    memory.end();
  }
}
