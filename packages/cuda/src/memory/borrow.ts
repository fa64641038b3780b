import type { ArrayDescriptor, BorrowOptions } from '@array-interface/core';
import {
  type BackendIdentity,
  defaultSync,
  follow,
  ImportedCapsule,
  internals,
  memoryOf,
  namedOwner,
  nativeOwner,
  type Sync,
} from '@array-interface/core/backend';
import type { NativeBlock, NativeMemory } from '../addon.js';
import { libcuda } from '../find-driver.js';
import { isStream, type Stream } from '../work/stream.js';
import type { StreamProducer } from '../work/stream-handle.js';
import { defaultStreamOf, legacyStreamOf, streamNamed } from '../work/streams.js';
import { CudaMemory } from './memory.js';
import { type Proof, prove } from './prove.js';

/** How another library's array is borrowed: ordering, bounds check, read-only flag. */
export interface CudaBorrowOptions extends BorrowOptions {
  /**
   * The stream with the producer's work, used if the interface dict names none. Null if no work is
   * pending. Default: the legacy default stream of the array's device, or none if this backend
   * allocated the memory.
   */
  readonly producerStream?: bigint | Stream | StreamProducer | null;
  /**
   * How consumers are told of pending work on the array. `wait` (default): the dict names a stream
   * that waits for it. `block`: blocks the calling thread until the work has ended and names no
   * stream. `none`: names no stream and waits for nothing; consumers order their work themselves.
   */
  readonly exportStream?: Sync;
}

/** The options with their defaults resolved. */
type Terms = CudaBorrowOptions & { readonly sync: Sync; readonly exportStream: Sync };

/**
 * Borrows a producer's memory. Checks that the driver knows the memory and that it contains the
 * array, finds the producer's stream, and keeps the producer alive. Memory of this backend yields a
 * loan. Touches no memory. Throws ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS,
 * ERR_STREAM, ERR_ARGUMENT.
 */
export function borrow(
  backend: BackendIdentity,
  array: ArrayDescriptor,
  options: CudaBorrowOptions,
): CudaMemory {
  const { sync = defaultSync(process.env), exportStream = 'wait' } = options;
  // A capsule without a stream means that no work is pending.
  const named = array.owner instanceof ImportedCapsule ? { producerStream: null } : {};
  return borrowAt(backend, array, { ...named, ...options, sync, exportStream }, '');
}

/** Borrows an array, or its mask. `prefix` is the path of the mask in error messages. */
function borrowAt(
  backend: BackendIdentity,
  array: ArrayDescriptor,
  terms: Terms,
  prefix: string,
): CudaMemory {
  const lender = memoryOf(array.owner);
  if (lender instanceof CudaMemory && lender.backend === backend) {
    return lend(lender, terms, namedOwner(array.owner));
  }
  const path = `${prefix}data[0]`;
  const proof = prove(array, path);
  const stream = producerStream(array, proof, terms);
  let mask: CudaMemory | null = null;
  let memory: CudaMemory | null = null;
  try {
    if (array.mask !== null) mask = borrowAt(backend, array.mask, terms, 'mask.');
    memory = makeMemory(backend, array, proof, terms, stream, mask);
    internals(memory).assertHolds(array, path);
    if (stream !== null) followProducer(memory);
    return memory;
  } catch (error) {
    internals(memory ?? mask)?.end();
    throw error;
  } finally {
    internals(stream)?.release(); // the memory keeps its own reference
  }
}

/** Creates the memory, which then owns the mask's memory. */
function makeMemory(
  backend: BackendIdentity,
  array: ArrayDescriptor,
  proof: Proof,
  { bounds, exportStream, sync }: Terms,
  stream: Stream | null,
  mask: CudaMemory | null,
): CudaMemory {
  const { device, memoryKind, shift, hostOffset, hasContext } = proof;
  const { pointer, owner } = array;
  const used = array.size === 0 ? 0n : pointer + shift;
  const native = libcuda().borrow(device, used, nativeOwner(owner), hasContext);
  return new CudaMemory(backend, {
    native: native.handle,
    origin: 'pointer' in native ? 'loan' : 'borrowed',
    ...{ device, memoryKind, pointer, shift, hostOffset },
    allocation: bounds === 'trust' ? null : rangeOf(native, proof),
    ...{ producer: owner, producerQueue: stream, sync, exportMode: exportStream },
    homeQueue: homeOf(stream, device),
    mask,
  });
}

/**
 * Lends memory of this backend. The block lives as long as the loan. `named` is an additional
 * object that the loan keeps alive, besides the lender's producer.
 */
function lend(lender: CudaMemory, terms: Terms, named: unknown = null): CudaMemory {
  const { backend, device, memoryKind, pointer, shift, hostOffset, homeQueue } = lender;
  const stream = terms.sync === 'none' ? null : lendersStream(lender, terms);
  let memory: CudaMemory | null = null;
  try {
    memory = new CudaMemory(backend, {
      native: libcuda().lend(lender.native, terms.sync).handle,
      origin: lender.origin === 'borrowed' ? 'borrowed' : 'loan',
      ...{ device, memoryKind, pointer, shift, hostOffset, homeQueue },
      allocation: terms.bounds === 'trust' ? null : lender.allocation,
      exportMode: terms.exportStream,
      producer: lender.producer && named ? [lender.producer, named] : (lender.producer ?? named),
      ...{ producerQueue: stream, sync: terms.sync },
      mask: lender.mask === null ? null : lend(lender.mask, terms),
    });
    if (stream === lender.producerQueue) awaitProducer(memory);
    else followProducer(memory);
    return memory;
  } catch (error) {
    internals(memory)?.end();
    throw error;
  } finally {
    internals(stream)?.release();
  }
}

/**
 * Returns the lender's stream, even if the array that named it was disposed; otherwise the stream
 * that the terms name.
 */
function lendersStream(lender: CudaMemory, terms: Terms): Stream | null {
  if (lender.producerQueue !== null) return keep(lender.producerQueue);
  return holdStream(terms.producerStream ?? null, lender.device);
}

/**
 * Orders the memory's work after its producer's work from now on. If that fails, the caller ends
 * the memory.
 */
function followProducer(memory: CudaMemory): void {
  awaitProducer(memory);
  follow(libcuda(), memory, memory.sync);
}

/** Blocks until the producer's work so far has ended, if the memory's terms say so. */
function awaitProducer({ producerQueue, sync }: CudaMemory): void {
  if (sync !== 'block' || producerQueue === null) return;
  internals(producerQueue).assertRuns();
  producerQueue.synchronizeSync();
}

/**
 * Returns the range that arrays must lie in, in the producer's addresses. If this library allocated
 * the memory, the range is its block.
 */
function rangeOf(native: NativeBlock | NativeMemory, { shift, allocation }: Proof) {
  if (!('pointer' in native)) return allocation;
  return { pointer: native.pointer - shift, byteLength: native.byteLength };
}

/**
 * Returns a reference, which the caller must release, to the stream with the producer's work. Null
 * if there is nothing to wait for.
 */
function producerStream(
  array: ArrayDescriptor,
  { device, isOurs }: Proof,
  { sync, producerStream }: Terms,
): Stream | null {
  if (sync === 'none') return null;
  const named = array.stream ?? producerStream;
  if (named !== undefined) return holdStream(named, device);
  const isKnown = isOurs || array.size === 0;
  // Other libraries whose dict names no stream work on the legacy default stream.
  return isKnown ? null : holdStream(legacyStreamOf(device), device);
}

/** Returns a reference to the stream that a handle, an object or a `Stream` names. */
function holdStream(named: bigint | Stream | StreamProducer | null, device: number): Stream | null {
  if (named === null) return null;
  if (!isStream(named)) return streamNamed(named, device);
  internals(named).assertLive();
  return keep(named);
}

function keep(stream: Stream): Stream {
  internals(stream).retain();
  return stream;
}

/**
 * Returns the home stream. A stream of another context can order this backend's work but not run
 * it, so the device's own stream is used instead.
 */
function homeOf(stream: Stream | null, device: number): Stream | null {
  if (stream === null) return null;
  return stream.isPrimary ? stream : defaultStreamOf(device);
}
