import { ArrayInterfaceError, fromArrayInterface, type Protocol } from '@array-interface/core';
import { type ArrayCapsule, arrayCapsule, arrayProducer } from '@array-interface/core/backend';
import { addon, type Produced } from './addon.js';

/** By the addon's numbers. */
const PROTOCOLS: readonly Protocol[] = ['cuda', 'sycl', 'host'];

/**
 * What the backend of `protocol` reads in the place of a Python object: a capsule, or an object with
 * the dict of one interface where a capsule cannot say it all (records, masks, selectors of SYCL's
 * devices). It looks for the dict of `protocol`, then for the others', for `__dlpack__`, and for the
 * buffer protocol. It holds the Python object by itself: a capsule until the array ends, an object
 * until it is collected, too. For oneAPI's memory by DLPack it waits until the object's queue is
 * idle. Throws PythonError, ERR_DISPOSED, ERR_NO_INTERFACE, ERR_OUT_OF_BOUNDS (a dict that leaves its
 * buffer), ERR_TYPE, ERR_VERSION, ERR_DTYPE_UNSUPPORTED (a buffer of Python objects).
 */
function producedBy(object: object, protocol: Protocol): object {
  const made = addon().produce(object, PROTOCOLS.indexOf(protocol));
  if (made.place !== undefined) setPlace(made, made.place);
  checkBuffers(made, '');
  return made;
}

/**
 * A capsule of a Python object's array, good for one use: by a dict, by `__dlpack__`, or by the
 * buffer protocol. Waits and throws as `producedBy`.
 */
function capsuleOf(object: object): ArrayCapsule {
  return addon().capsule(object);
}

/**
 * Puts the two methods on a class: what a backend's `asArray` reads in the place of an object, and
 * a capsule of its array for an addon.
 */
export function standForArrays(prototype: object): void {
  const produced = function (this: object, protocol: Protocol): object {
    return producedBy(this, protocol);
  };
  const capsule = function (this: object): ArrayCapsule {
    return capsuleOf(this);
  };
  Object.defineProperty(prototype, arrayProducer, { value: produced });
  Object.defineProperty(prototype, arrayCapsule, { value: capsule });
}

/** A queue or context of Python's. Each call gives a new capsule, since one is good for one use. */
function setPlace({ __sycl_usm_array_interface__: dict }: Produced, place: object): void {
  const syclobj = { _get_capsule: () => addon().syclCapsule(place) };
  Object.assign(dict as object, { syclobj });
}

/** The buffers of an array and of its mask. */
function checkBuffers(made: Produced, path: string): void {
  if (made.start !== undefined) checkBuffer(made, made.start, `${path}data`);
  const dict = made.__array_interface__ as { mask?: Produced } | undefined;
  if (dict?.mask?.__array_interface__ !== undefined) checkBuffers(dict.mask, `${path}mask.`);
}

/** Core's bounds are what the process can read; a producer's buffer is smaller. */
function checkBuffer(made: Produced, start: bigint, path: string): void {
  const { __array_interface__: dict, byteLength } = made;
  const { pointer, extent, size } = fromArrayInterface(dict as never);
  if (size === 0) return;
  const low = pointer - start + BigInt(extent[0]);
  const high = pointer - start + BigInt(extent[1]);
  if (low >= 0n && high <= BigInt(byteLength as number)) return;
  throw new ArrayInterfaceError(
    'ERR_OUT_OF_BOUNDS',
    path,
    `expected elements within the buffer of ${byteLength} bytes that the dict names, got those ` +
      `from byte ${low} to ${high}; check shape, strides and offset of the producer`,
  );
}
