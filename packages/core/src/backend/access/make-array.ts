import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import type { DTypeLike } from '../../dtype/dtype.js';
import { dtype } from '../../dtype/read-dtype.js';
import { isArrayInterfaceError } from '../../errors/error.js';
import { copyBuffers, newBuffer } from '../../plan/copy-buffers.js';
import { readTarget } from '../../views/reshape.js';
import type { BackendArray, OwnedArray } from '../interface/array.js';
import type { Driver } from '../interface/driver.js';
import type { ArrayOptions, EmptyOptions } from '../interface/options.js';
import { whenThereIsMemory } from './deadline.js';

/**
 * Returns a new array laid out like `layout`. Blocks for at most `timeout` milliseconds. Throws
 * ERR_OUT_OF_MEMORY.
 */
export function makeArray<A extends BackendArray>(
  driver: Driver<A>,
  layout: ArrayDescriptor,
  options: EmptyOptions,
  timeout: number,
): OwnedArray<A> {
  const memory = driver.allocate(Math.max(1, layout.extent[1]), options, timeout);
  const descriptor = replace(layout, { pointer: memory.pointer, owner: memory });
  return driver.wrap(memory, descriptor, null) as OwnedArray<A>;
}

/**
 * Returns a new array, as soon as there is memory for it, and what to copy into it: the source, or
 * a copy of its bytes if JavaScript could change them during the wait. Does not wait if there is
 * memory now.
 */
export function makeArrayFor<A extends BackendArray>(
  driver: Driver<A>,
  layout: ArrayDescriptor,
  from: ArrayDescriptor,
  options: ArrayOptions,
): Made<A> | Promise<Made<A>> {
  const make = () => makeArray(driver, layout, options, 0);
  try {
    return { made: make(), source: from };
  } catch (error) {
    if (!isArrayInterfaceError(error, 'ERR_OUT_OF_MEMORY')) throw error;
  }
  const source = from.buffer === null ? from : aside(from);
  const waiting = whenThereIsMemory(driver, options, options.signal, make);
  return waiting.then((made) => ({ made, source }));
}

interface Made<A extends BackendArray> {
  readonly made: OwnedArray<A>;
  readonly source: ArrayDescriptor;
}

/**
 * Returns the layout that `array` requests. Throws ERR_SHAPE_MISMATCH for a shape with another
 * number of elements.
 */
export function layoutFor(from: ArrayDescriptor, options: ArrayOptions): ArrayDescriptor {
  const like: DTypeLike = options.dtype ?? from.dtype;
  const shape = options.shape === undefined ? from.shape : readTarget(options.shape, from.size);
  return relativeLayout(shape, dtype(like), options.byteStrides);
}

/** Returns the same elements in new JavaScript memory. */
function aside(from: ArrayDescriptor): ArrayDescriptor {
  const buffer = newBuffer(from.nbytes);
  const copied = relativeLayout(from.shape, from.dtype, null, buffer);
  copyBuffers(copied, from);
  return copied;
}
