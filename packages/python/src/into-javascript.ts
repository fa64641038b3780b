import { ArrayInterfaceError, fromArrayInterface, type Protocol } from '@array-interface/core';
import { type ArrayCapsule, arrayCapsule, arrayProducer } from '@array-interface/core/backend';
import { addon, type Column, type Produced } from './addon.js';
import { arrayOfColumn } from './arrays/column.js';

/** Indexed by the addon's numbers. */
const PROTOCOLS: readonly Protocol[] = ['cuda', 'sycl', 'host'];

/**
 * What the backend of `protocol` reads in place of a Python object: a capsule, an object with the
 * dict of one interface, or a descriptor of a column of Arrow's. It is a dict if a capsule cannot express it (records, masks, selectors
 * of SYCL's devices).
 *
 * Looks for the dict of `protocol`, then for the other dicts, for `__dlpack__`, for the buffer
 * protocol, and for `__arrow_c_array__`. The result keeps the Python object: a capsule until the array ends, an object also
 * until it is collected. For oneAPI memory by DLPack, blocks until the object's queue is idle.
 *
 * Throws PythonError, ERR_DISPOSED, ERR_NO_INTERFACE, ERR_OUT_OF_BOUNDS (a dict that exceeds its
 * buffer), ERR_TYPE, ERR_VERSION, ERR_DTYPE_UNSUPPORTED (a buffer of Python objects).
 */
function producedBy(object: object, protocol: Protocol): object {
  const made = addon().produce(object, PROTOCOLS.indexOf(protocol));
  if (isColumn(made)) return arrayOfColumn(made);
  if (made.place !== undefined) setPlace(made, made.place);
  checkBuffers(made, '');
  return made;
}

function isColumn(made: Produced | Column): made is Column {
  return 'schema' in made;
}

/**
 * Makes a capsule of a Python object's array, good for one use: from a dict, `__dlpack__`, or the
 * buffer protocol. Blocks and throws as `producedBy` does.
 */
function capsuleOf(object: object): ArrayCapsule {
  return addon().capsule(object);
}

/**
 * Adds two methods to a class: one that returns what a backend's `asArray` reads in place of an
 * object, and one that returns a capsule of its array for an addon.
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

/**
 * Sets the dict's `syclobj` to a Python queue or context. Each call makes a new capsule, since a
 * capsule is good for one use.
 */
function setPlace({ __sycl_usm_array_interface__: dict }: Produced, place: object): void {
  const syclobj = { _get_capsule: () => addon().syclCapsule(place) };
  Object.assign(dict as object, { syclobj });
}

/** Checks the buffers of an array and of its mask. */
function checkBuffers(made: Produced, path: string): void {
  if (made.start !== undefined) checkBuffer(made, made.start, `${path}data`);
  const dict = made.__array_interface__ as { mask?: Produced } | undefined;
  if (dict?.mask?.__array_interface__ !== undefined) checkBuffers(dict.mask, `${path}mask.`);
}

/** Core checks against what the process can read, but a producer's buffer is smaller. */
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
    `expected elements within the buffer of ${byteLength} bytes that the dict names, got ` +
      `bytes ${low} to ${high}; check the producer's shape, strides and offset`,
  );
}
