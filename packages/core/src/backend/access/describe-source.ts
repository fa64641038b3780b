import { type ArrayDescriptor, isArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { mismatch } from '../../errors/mismatch.js';
import { show } from '../../errors/show.js';
import { exposes, readProducer } from '../../protocols/from-producer.js';
import type { BackendProtocol } from '../../protocols/protocol.js';
import { type ArrayLike, BackendArray } from '../interface/array.js';
import { capsuleOf } from '../interface/capsule.js';
import type { Driver } from '../interface/driver.js';
import { BackendAdvice } from '../interface/instead-of-own-array.js';
import { isBackendArray } from '../interface/is-backend-array.js';
import { memoryOf } from '../interface/memory.js';
import type { BorrowOptions } from '../interface/options.js';
import { resolveProxy } from '../interface/producer.js';

/**
 * Returns the descriptor of anything that an array function of the backend of `protocol` accepts.
 * Does not export the arrays of this library. For a proxy, describes the object that is read in its
 * place, which becomes the owner. Consumes a capsule; needs a driver. Errors name the
 * argument at `path`, and the functions of `backend` that would make an array of it. Throws what `fromProducer`
 * and `describeImported` throw, and ERR_NO_INTERFACE if a proxy returns no object.
 */
export function describeSource(
  source: ArrayLike,
  protocol: BackendProtocol,
  driver?: Driver,
  path: string | null = null,
  backend?: string,
): ArrayDescriptor {
  const own = describeOwn(source);
  if (own !== null) return own;
  const read = resolveProxy(source, protocol);
  const given = read === source ? null : describeOwn(read);
  return (
    given ??
    describeImported(read, driver) ??
    verified(claimOf(read, protocol, path, backend), read, protocol)
  );
}

/** Returns what a dict claims: that of the backend's own protocol, else of a known one. */
function claimOf(
  source: ArrayLike,
  protocol: BackendProtocol,
  path: string | null,
  backend: string | undefined,
): ArrayDescriptor {
  const isOwn = typeof protocol === 'object' && protocol !== null && isObject(source);
  const wanted = isOwn && exposes(source, protocol) ? { protocol } : {};
  const advice = backend === undefined ? undefined : new BackendAdvice(backend);
  return readProducer(source, wanted, path, advice);
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}

/**
 * Returns the array that a producer's dict claims. Memory of a backend of `protocol` vouches for a
 * dict that was written for it, as for an array of its own, if the dict's address and queue are
 * unchanged. Throws ERR_DISPOSED if that memory has ended, whoever may own its address by now.
 */
export function verified(
  array: ArrayDescriptor,
  producer: object,
  protocol: BackendProtocol,
): ArrayDescriptor {
  const ofMask = memoryOf(array.mask?.owner);
  ofMask?.assertLive('mask.data');
  const memory = memoryOf(array.owner);
  if (memory === null) return ofMask === null ? array : claimed(array, producer);
  memory.assertLive('data');
  const isOfProtocol = memory.backend.protocol === protocol;
  if (!isOfProtocol || array.mask !== null || !memory.backs(array)) {
    return claimed(array, producer);
  }
  return replace(array, { stream: null, syclobj: null });
}

/**
 * Returns the array as a producer claims it, whoever wrote its dict. The producer keeps the memory
 * alive.
 */
export function claimed(array: ArrayDescriptor, producer: object): ArrayDescriptor {
  const mask = array.mask && replace(array.mask, { owner: producer });
  return replace(array, { owner: producer, mask });
}

/**
 * Returns the descriptor of an array of this library, or the descriptor itself. Null for anything
 * else.
 */
export function describeOwn(source: ArrayLike): ArrayDescriptor | null {
  if (typeof source !== 'object' || source === null) return null;
  if (BackendArray.is(source)) return source.descriptor;
  if (isArrayDescriptor(source)) return source;
  return isBackendArray(source) ? source.descriptor : null;
}

/**
 * Returns the descriptor of a capsule's contents, or of what an object's method returns. Null for
 * anything else. Throws ERR_NO_INTERFACE if the method returns no capsule, and what
 * `Driver.readCapsule` throws.
 */
export function describeImported(
  source: unknown,
  driver?: Driver,
  options?: BorrowOptions,
): ArrayDescriptor | null {
  const capsule = driver?.readCapsule === undefined ? null : capsuleOf(source);
  if (capsule === null) return null;
  const array = driver?.readCapsule?.(capsule, options) ?? null;
  if (array !== null || capsule === source) return array;
  throw mismatch(
    'ERR_NO_INTERFACE',
    null,
    "a capsule from the method [Symbol.for('array-interface.array')]",
    show(capsule),
    'have it return what ai_wrap of array_interface.h returned',
  );
}
