import type { ArrayDescriptor } from '@array-interface/core';
import {
  type BackendIdentity,
  type BorrowOptions,
  memoryOf,
  type Sync,
} from '@array-interface/core/backend';
import { libcuda } from './find-driver.js';
import { CudaMemory } from './memory.js';
import type { NativeBlock, NativeMemory } from './native.js';
import { type Proof, prove } from './prove.js';
import { Stream } from './stream.js';
import type { StreamProducer } from './stream-handle.js';
import type { Streams } from './streams.js';
import { readSync } from './sync.js';

/** How an array of others is borrowed: its order, its bounds, its flag. */
export interface CudaBorrowOptions extends BorrowOptions {
  /**
   * The stream with the producer's work, where its dict names none; null: it has none pending. Default: the
   * legacy default stream of the array's device, unless the memory is ours.
   */
  readonly producerStream?: bigint | Stream | StreamProducer | null;
  /** As for `cuda.empty`. */
  readonly exportStream?: Sync;
}

/** The legacy default stream, on which producers work that name none. */
const LEGACY = 1n;

/** The options, as they were read. */
interface Terms extends CudaBorrowOptions {
  readonly sync: Sync;
  readonly exportStream: Sync;
}

/**
 * Borrows a producer's memory: proves that the driver knows it and that it holds the array, finds its
 * stream, and keeps the producer. Of memory of ours it makes a loan. Touches no memory. Throws
 * ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS, ERR_STREAM, ERR_ARGUMENT.
 */
export function borrow(
  backend: BackendIdentity,
  streams: Streams,
  array: ArrayDescriptor,
  options: CudaBorrowOptions,
): CudaMemory {
  const sync = syncOf(options.sync);
  const exportStream = readSync('exportStream', options.exportStream ?? 'wait');
  return borrowAt(backend, streams, array, { ...options, sync, exportStream }, '');
}

/** The same for an array or, with its place as `prefix`, for its mask. */
function borrowAt(
  backend: BackendIdentity,
  streams: Streams,
  array: ArrayDescriptor,
  terms: Terms,
  prefix: string,
): CudaMemory {
  const lender = memoryOf(array.owner);
  if (lender instanceof CudaMemory && lender.backend === backend) {
    return lend(streams, lender, terms);
  }
  const path = `${prefix}data[0]`;
  const proof = prove(array, path);
  const used = array.size === 0 ? 0n : array.pointer + proof.shift;
  const native = libcuda().borrow(used, proof.device, proof.hasContext, array.owner);
  let memory: CudaMemory | null = null;
  let mask: CudaMemory | null = null;
  let stream: Stream | null = null;
  try {
    const isOurs = 'pointer' in native;
    const named = namedStream(array, terms, isOurs || array.size === 0);
    stream = named === null ? null : asStream(streams, named, proof.device);
    if (array.mask !== null) mask = borrowAt(backend, streams, array.mask, terms, 'mask.');
    memory = new CudaMemory(backend, streams, {
      native: native.handle,
      origin: isOurs ? 'loan' : 'borrowed',
      device: proof.device,
      memoryKind: proof.memoryKind,
      pointer: array.pointer,
      shift: proof.shift,
      hostShift: proof.hostShift,
      allocation: terms.bounds === 'trust' ? null : rangeOf(native, proof),
      exportMode: terms.exportStream,
      producer: array.owner,
      ...{ producerStream: stream, sync: terms.sync, home: homeOf(streams, stream, proof.device) },
      mask,
    });
    memory.assertHolds(array, path);
    follow(memory);
    return memory;
  } catch (error) {
    if (memory !== null) memory.end();
    else {
      libcuda().endMemory(native.handle);
      mask?.end();
    }
    throw error;
  } finally {
    // The memory holds it as long as it needs it; a stream that the caller made stays the caller's.
    if (stream !== terms.producerStream) stream?.[Symbol.dispose]();
  }
}

/** A loan of memory that this backend made: under it the block stays. */
function lend(streams: Streams, lender: CudaMemory, terms: Terms): CudaMemory {
  const named = lender.producerStream ?? terms.producerStream ?? null;
  const stream =
    named === null || terms.sync === 'none' ? null : asStream(streams, named, lender.device);
  try {
    const memory = new CudaMemory(lender.backend, streams, {
      native: libcuda().lend(lender.native).handle,
      origin: lender.origin === 'borrowed' ? 'borrowed' : 'loan',
      device: lender.device,
      memoryKind: lender.memoryKind,
      pointer: lender.pointer,
      shift: lender.shift,
      hostShift: lender.hostShift,
      allocation: terms.bounds === 'trust' ? null : lender.allocation,
      exportMode: terms.exportStream,
      producer: lender.producer,
      ...{ producerStream: stream, sync: terms.sync, home: lender.homeQueue as Stream | null },
      mask: lender.mask === null ? null : lend(streams, lender.mask, terms),
    });
    follow(memory);
    return memory;
  } finally {
    if (stream !== named) stream?.[Symbol.dispose]();
  }
}

/** From now on its work is ordered with its producer's. Ends the memory where that cannot be. */
function follow(memory: CudaMemory): void {
  const { native, producerStream, sync } = memory;
  if (producerStream === null) return;
  if (sync === 'block') {
    producerStream.assertRuns();
    producerStream.synchronizeSync();
  }
  libcuda().follow(native, producerStream.native, sync);
}

/** The range that arrays must keep to, in the producer's addresses: of a block of ours it is the block. */
function rangeOf(native: NativeBlock | NativeMemory, { shift, allocation }: Proof) {
  if (!('pointer' in native)) return allocation;
  return { pointer: native.pointer - shift, byteLength: native.byteLength };
}

/** What names the stream with the producer's work, or null: nothing is to be waited for. */
function namedStream(
  { stream }: ArrayDescriptor,
  { sync, producerStream }: Terms,
  isKnown: boolean,
): bigint | Stream | StreamProducer | null {
  if (sync === 'none') return null;
  if (stream !== null) return stream;
  if (producerStream !== undefined) return producerStream;
  return isKnown ? null : LEGACY;
}

function asStream(
  streams: Streams,
  named: bigint | Stream | StreamProducer,
  device: number,
): Stream {
  if (!(named instanceof Stream)) return streams.named(named, device);
  named.assertLive();
  return named;
}

/** A stream of another context orders our work, and cannot do it. */
function homeOf(streams: Streams, stream: Stream | null, device: number): Stream | null {
  if (stream === null) return null;
  return stream.isPrimary ? stream : streams.defaultOf(device);
}

/** The environment's switch is for consumers that name none. */
function syncOf(sync: Sync | undefined): Sync {
  if (sync !== undefined) return readSync('sync', sync);
  return process.env.ARRAY_INTERFACE_SYNC === '0' ? 'none' : 'wait';
}
