import type { ArrayDescriptor, BorrowOptions } from '@array-interface/core';
import {
  type BackendIdentity,
  ImportedCapsule,
  internals,
  memoryOf,
  namedOwner,
  type Sync,
} from '@array-interface/core/backend';
import type { NativeBlock, NativeMemory } from '../addon.js';
import { libcuda } from '../find-driver.js';
import { isStream, type Stream } from '../work/stream.js';
import type { StreamProducer } from '../work/stream-handle.js';
import type { Streams } from '../work/streams.js';
import { CudaMemory } from './memory.js';
import { type Proof, prove } from './prove.js';

/** How another library's array is borrowed: its order, its bounds, its flag. */
export interface CudaBorrowOptions extends BorrowOptions {
  /**
   * The stream with the producer's work, where the dict names none. Null: no work is pending.
   * Default: the legacy default stream of the array's device, unless the memory is ours.
   */
  readonly producerStream?: bigint | Stream | StreamProducer | null;
  /** As for `cuda.empty`. */
  readonly exportStream?: Sync;
}

/** The options, as they were read. */
interface Terms extends CudaBorrowOptions {
  readonly sync: Sync;
  readonly exportStream: Sync;
}

/**
 * Borrows a producer's memory: proves that the driver knows it and that it holds the array, finds
 * its stream, and keeps the producer. Memory of ours gives a loan. Touches no memory. Throws
 * ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS, ERR_STREAM, ERR_ARGUMENT.
 */
export function borrow(
  backend: BackendIdentity,
  streams: Streams,
  array: ArrayDescriptor,
  options: CudaBorrowOptions,
): CudaMemory {
  const { sync = defaultSync(), exportStream = 'wait' } = options;
  // A capsule that names no stream says that nothing is pending.
  const named = array.owner instanceof ImportedCapsule ? { producerStream: null } : {};
  return borrowAt(backend, streams, array, { ...named, ...options, sync, exportStream }, '');
}

/** Borrows an array, or its mask, whose place is then `prefix`. */
function borrowAt(
  backend: BackendIdentity,
  streams: Streams,
  array: ArrayDescriptor,
  terms: Terms,
  prefix: string,
): CudaMemory {
  const lender = memoryOf(array.owner);
  if (lender instanceof CudaMemory && lender.backend === backend) {
    return lend(streams, lender, terms, namedOwner(array.owner));
  }
  const path = `${prefix}data[0]`;
  const proof = prove(array, path);
  const stream = producerStream(streams, array, proof, terms);
  let mask: CudaMemory | null = null;
  let memory: CudaMemory | null = null;
  try {
    if (array.mask !== null) mask = borrowAt(backend, streams, array.mask, terms, 'mask.');
    memory = makeMemory(backend, streams, array, proof, terms, stream, mask);
    internals(memory).assertHolds(array, path);
    follow(memory);
    return memory;
  } catch (error) {
    internals(memory ?? mask)?.end();
    throw error;
  } finally {
    internals(stream)?.release(); // the memory holds it as long as it needs it
  }
}

/** Makes the memory, which then owns the mask's memory. */
function makeMemory(
  backend: BackendIdentity,
  streams: Streams,
  array: ArrayDescriptor,
  proof: Proof,
  { bounds, exportStream, sync }: Terms,
  stream: Stream | null,
  mask: CudaMemory | null,
): CudaMemory {
  const { device, memoryKind, shift, hostOffset, hasContext } = proof;
  const { pointer, owner } = array;
  const used = array.size === 0 ? 0n : pointer + shift;
  const native = libcuda().borrow(used, device, hasContext, nativeOwner(owner));
  return new CudaMemory(backend, streams, {
    native: native.handle,
    origin: 'pointer' in native ? 'loan' : 'borrowed',
    ...{ device, memoryKind, pointer, shift, hostOffset },
    allocation: bounds === 'trust' ? null : rangeOf(native, proof),
    ...{ producer: owner, producerStream: stream, sync, exportMode: exportStream },
    home: homeOf(streams, stream, device),
    mask,
  });
}

/**
 * A loan of memory that this backend made. The block stays as long as the loan. `named`: what the
 * loan's producer is besides the lender's own.
 */
function lend(
  streams: Streams,
  lender: CudaMemory,
  terms: Terms,
  named: unknown = null,
): CudaMemory {
  const stream = terms.sync === 'none' ? null : lendersStream(streams, lender, terms);
  let memory: CudaMemory | null = null;
  try {
    memory = new CudaMemory(lender.backend, streams, {
      native: libcuda().lend(lender.native).handle,
      origin: lender.origin === 'borrowed' ? 'borrowed' : 'loan',
      device: lender.device,
      memoryKind: lender.memoryKind,
      pointer: lender.pointer,
      shift: lender.shift,
      hostOffset: lender.hostOffset,
      allocation: terms.bounds === 'trust' ? null : lender.allocation,
      exportMode: terms.exportStream,
      producer: lender.producer && named ? [lender.producer, named] : (lender.producer ?? named),
      ...{ producerStream: stream, sync: terms.sync, home: lender.homeQueue as Stream | null },
      mask: lender.mask === null ? null : lend(streams, lender.mask, terms),
    });
    follow(memory);
    return memory;
  } catch (error) {
    internals(memory)?.end();
    throw error;
  } finally {
    internals(stream)?.release();
  }
}

/**
 * The lender's stream, also where its maker has let go of it; else the stream that the terms name.
 */
function lendersStream(streams: Streams, lender: CudaMemory, terms: Terms): Stream | null {
  if (lender.producerStream !== null) return keep(lender.producerStream);
  return holdStream(streams, terms.producerStream ?? null, lender.device);
}

/** Orders the memory's work with its producer's from now on. Ends the memory where that fails. */
function follow(memory: CudaMemory): void {
  const { native, producerStream, sync } = memory;
  if (producerStream === null) return;
  if (sync === 'block') {
    internals(producerStream).assertRuns();
    producerStream.synchronizeSync();
  }
  libcuda().follow(native, producerStream.native, sync, nativeOwner(memory.producer));
}

/** What the addon knows a producer by. */
function nativeOwner(owner: unknown): unknown {
  return owner instanceof ImportedCapsule ? owner.handle : owner;
}

/**
 * The range that arrays must keep to, in the producer's addresses. For a block of ours it is the
 * block.
 */
function rangeOf(native: NativeBlock | NativeMemory, { shift, allocation }: Proof) {
  if (!('pointer' in native)) return allocation;
  return { pointer: native.pointer - shift, byteLength: native.byteLength };
}

/** The stream with the producer's work, to be released. Null: nothing to wait for. */
function producerStream(
  streams: Streams,
  array: ArrayDescriptor,
  { device, isOurs }: Proof,
  { sync, producerStream }: Terms,
): Stream | null {
  if (sync === 'none') return null;
  const named = array.stream ?? producerStream;
  if (named !== undefined) return holdStream(streams, named, device);
  const isKnown = isOurs || array.size === 0;
  // Other libraries whose dict names no stream work on the legacy default stream.
  return isKnown ? null : holdStream(streams, streams.legacyOf(device), device);
}

/** A hold on the stream that a handle, an object or a `Stream` names. */
function holdStream(
  streams: Streams,
  named: bigint | Stream | StreamProducer | null,
  device: number,
): Stream | null {
  if (named === null) return null;
  if (!isStream(named)) return streams.named(named, device);
  internals(named).assertLive();
  return keep(named);
}

function keep(stream: Stream): Stream {
  internals(stream).retain();
  return stream;
}

/** Null for a stream of another context: it can order our work, but not do it. */
function homeOf(streams: Streams, stream: Stream | null, device: number): Stream | null {
  if (stream === null) return null;
  return stream.isPrimary ? stream : streams.defaultOf(device);
}

/** How our work is ordered after a producer's where the caller does not say. */
function defaultSync(): Sync {
  return process.env.ARRAY_INTERFACE_SYNC === '0' ? 'none' : 'wait';
}
