import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import type { Allocation, BorrowOptions, Sync } from '@array-interface/core/backend';
import type { CudaBackend } from './backend.js';
import { BorrowedMemory, type Proof } from './borrowed-memory.js';
import { driver } from './driver.js';
import { hex } from './hex.js';
import type { KnownPointer } from './native.js';
import { Stream } from './stream.js';
import type { StreamProducer } from './stream-handle.js';
import { readSync } from './sync.js';

/** How an array of others is borrowed: its order, its bounds, its flag. */
export interface CudaBorrowOptions extends BorrowOptions {
  /** The stream with the producer's work, where its dict names none (CAI v0 to v2). */
  readonly producerStream?: bigint | Stream | StreamProducer;
  /** As for `cuda.empty`. */
  readonly exportStream?: Sync;
}

/**
 * Borrows a producer's memory: proves that the driver knows it and that it holds the array, finds its
 * stream, and keeps the producer. Touches no memory. Throws ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE,
 * ERR_OUT_OF_BOUNDS, ERR_STREAM, ERR_ARGUMENT.
 */
export function borrow(
  backend: CudaBackend,
  array: ArrayDescriptor,
  options: CudaBorrowOptions,
): BorrowedMemory {
  return borrowAt(backend, array, { ...options, sync: syncOf(options.sync) }, '');
}

/** The same for an array or, with its place as `prefix`, for its mask. */
function borrowAt(
  backend: CudaBackend,
  array: ArrayDescriptor,
  options: CudaBorrowOptions & { readonly sync: Sync },
  prefix: string,
): BorrowedMemory {
  const path = `${prefix}data[0]`;
  const exportMode = readSync('exportStream', options.exportStream ?? 'wait');
  const proof = prove(backend, array, path);
  const stream = producerStream(backend, array, proof, options.producerStream);
  const trusted = options.bounds === 'trust' ? { ...proof, allocation: null } : proof;
  const memory = new BorrowedMemory(backend, trusted, array.owner, stream, options.sync);
  memory.exportMode = exportMode;
  try {
    memory.assertHolds(array, path);
    if (array.mask !== null) memory.tieMask(borrowAt(backend, array.mask, options, 'mask.'));
    if (options.sync === 'block') {
      stream?.assertRuns();
      stream?.synchronizeSync();
    }
    return memory;
  } catch (error) {
    memory.retain(); // nobody has held it yet
    memory.release();
    throw error;
  } finally {
    // The memory holds it as long as it needs it; a stream that the caller made stays the caller's.
    if (stream !== options.producerStream) stream?.[Symbol.dispose]();
  }
}

function prove(backend: CudaBackend, array: ArrayDescriptor, path: string): Proof {
  if (array.buffer !== null) {
    throw new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      path,
      'expected CUDA memory, got JavaScript memory, which no device reaches; copy it with array()',
    );
  }
  const { pointer } = array;
  if (array.size === 0) return nothing(pointer);
  const device = Math.max(0, driver().inspect(pointer)?.device ?? 0);
  const known = driver().inspect(pointer, device);
  if (known === null) {
    throw new ArrayInterfaceError(
      'ERR_POINTER_UNKNOWN',
      path,
      `expected an address that the CUDA driver knows, got ${hex(pointer)}; import it with the ` +
        'backend that allocated it, or copy it with array()',
    );
  }
  if (!known.isReached) {
    throw new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      path,
      `expected memory of the primary context of device ${device}, got ${hex(pointer)} of another; ` +
        'let its producer use the primary context (PyCUDA: pycuda.autoprimaryctx)',
    );
  }
  const shift = known.memoryKind === 'host' ? mapping(pointer, known, path) : 0n;
  const hostShift = known.hostPointer === 0n ? null : known.hostPointer - pointer;
  const allocation = allocationOf(pointer, known);
  const lender = backend.lenderOf(allocation);
  const { memoryKind } = known;
  const hasContext = known.context !== 0n && !known.isPool;
  return { device, memoryKind, pointer, shift, hostShift, allocation, hasContext, lender };
}

/** An array without elements touches nothing, wherever it says that it lies. */
function nothing(pointer: bigint): Proof {
  return {
    device: 0,
    memoryKind: 'device',
    pointer,
    shift: 0n,
    hostShift: null,
    allocation: null,
    hasContext: true,
    lender: null,
  };
}

/** How far the address that kernels use is from the producer's (CU_POINTER_ATTRIBUTE_DEVICE_POINTER). */
function mapping(pointer: bigint, { device, devicePointer }: KnownPointer, path: string): bigint {
  if (devicePointer !== 0n) return devicePointer - pointer;
  throw new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    path,
    `expected host memory that device ${device} reaches, got ${hex(pointer)}; allocate it portable ` +
      'and mapped, or copy it with array()',
  );
}

/** The range around an address, in the addresses that were asked about; null where it is not told. */
export function allocationOf(pointer: bigint, known: KnownPointer): Allocation | null {
  const { rangeStart, rangeSize, devicePointer } = known;
  if (rangeSize === 0n) return null;
  const holds = (address: bigint) => address >= rangeStart && address < rangeStart + rangeSize;
  const byteLength = Number(rangeSize);
  if (holds(pointer)) return { pointer: rangeStart, byteLength };
  if (!holds(devicePointer)) return null;
  return { pointer: rangeStart + pointer - devicePointer, byteLength };
}

function producerStream(
  backend: CudaBackend,
  array: ArrayDescriptor,
  { device }: Proof,
  named: bigint | Stream | StreamProducer | undefined,
): Stream | null {
  const found = array.stream ?? named ?? null;
  if (found instanceof Stream) found.assertLive();
  if (found === null || found instanceof Stream) return found;
  return backend.stream(found, { device });
}

/** The environment's switch is for consumers that name none. */
function syncOf(sync: Sync | undefined): Sync {
  if (sync !== undefined) return readSync('sync', sync);
  return process.env.ARRAY_INTERFACE_SYNC === '0' ? 'none' : 'wait';
}
