import { ArrayInterfaceError } from '@array-interface/core';
import type { BackendIdentity } from '@array-interface/core/backend';
import type { CudaMemoryKind, NativeBlock } from '../addon.js';
import { deviceCount, libcuda } from '../find-driver.js';
import { ownStream, type Stream } from '../work/stream.js';
import { defaultStreamOf } from '../work/streams.js';
import { CudaMemory, type CudaMemoryFacts } from './memory.js';
import type { CudaEmptyOptions } from './options.js';
import type { MemoryPool } from './pool.js';

const KINDS: readonly CudaMemoryKind[] = ['device', 'shared', 'host'];

/** Device and home stream, if any, of new memory. */
export interface DeviceAndStream {
  readonly device: number;
  readonly home: Stream | null;
}

/**
 * Allocates memory of the kind, and from the pool, that the options name. The device must exist.
 * `timeout` is in milliseconds. Throws ERR_ARGUMENT, ERR_OUT_OF_MEMORY, ERR_CUDA.
 */
export function allocate(
  backend: BackendIdentity,
  byteLength: number,
  options: CudaEmptyOptions,
  timeout: number,
): CudaMemory {
  const { device, home } = deviceAndStream(options);
  const memoryKind = checkKind(options.memoryKind ?? 'device');
  const { pool, exportStream: exportMode = 'wait' } = options;
  if (pool !== undefined) {
    const stream = home ?? defaultStreamOf(device);
    const made = checkPool(pool, device, memoryKind).allocate(stream, byteLength, timeout);
    const facts = { origin: 'pool', device, memoryKind, homeQueue: stream, exportMode } as const;
    return memoryOver(backend, made, byteLength, facts);
  }
  const made = libcuda().allocate(device, memoryKind, byteLength, timeout);
  const facts = { origin: 'allocated', device, memoryKind, homeQueue: home, exportMode } as const;
  return memoryOver(backend, made, byteLength, facts);
}

/** Allocates pinned memory for copies from and to JavaScript memory. */
export function allocateStaging(
  backend: BackendIdentity,
  byteLength: number,
  device: number,
  timeout: number,
): CudaMemory {
  const made = libcuda().allocate(device, 'staging', byteLength, timeout);
  const facts = { origin: 'allocated', device, memoryKind: 'host' } as const;
  return memoryOver(backend, made, byteLength, facts);
}

/** Makes the memory of a block that this library allocated, registered or opened. */
export function memoryOver(
  backend: BackendIdentity,
  { handle: native, pointer, hostPointer }: NativeBlock,
  byteLength: number,
  facts: Pick<CudaMemoryFacts, 'origin' | 'device' | 'memoryKind' | 'homeQueue' | 'exportMode'>,
): CudaMemory {
  const { origin, device, memoryKind, homeQueue, exportMode } = facts;
  const hostOffset = hostOffsetOf(memoryKind, device, hostPointer - pointer);
  const allocation = { pointer, byteLength };
  // No spread, which would cost each allocation several microseconds.
  return new CudaMemory(backend, {
    native,
    origin,
    device,
    memoryKind,
    pointer,
    hostOffset,
    homeQueue,
    exportMode,
    allocation,
  });
}

/**
 * Returns the home stream and the device that the options name. Throws ERR_ARGUMENT,
 * ERR_BACKEND_UNAVAILABLE.
 */
export function deviceAndStream(options: CudaEmptyOptions): DeviceAndStream {
  const home = options.queue === undefined ? null : ownStream(options.queue);
  const device = checkDevice(options.device ?? home?.device ?? 0);
  if (home === null || home.device === device) return { device, home };
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'device',
    `expected the stream's device ${home.device}, got ${device}; name only one of the two`,
  );
}

/** Returns the device if it exists. Throws ERR_ARGUMENT, ERR_BACKEND_UNAVAILABLE. */
export function checkDevice(device: number): number {
  const count = deviceCount();
  if (device < count) return device;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'device',
    `expected a device from 0 to ${count - 1}, got ${device}; see cuda.devices()`,
  );
}

/**
 * Returns `shift`, the offset to the address for this process. Null for memory that this process
 * cannot access at all times: device memory, and managed memory if the device needs exclusive
 * access while it works.
 */
export function hostOffsetOf(
  memoryKind: CudaMemoryKind,
  device: number,
  shift: bigint,
): bigint | null {
  if (memoryKind === 'device') return null;
  if (memoryKind === 'shared' && !libcuda().sharesManaged(device)) return null;
  return shift;
}

function checkPool(pool: MemoryPool, device: number, memoryKind: CudaMemoryKind): MemoryPool {
  if (pool.device === device && memoryKind === 'device') return pool;
  const got = memoryKind === 'device' ? `one of device ${pool.device}` : `${memoryKind} memory`;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'pool',
    `expected a pool of device ${device} for device memory, got ${got}; ` +
      'create one with cuda.createPool()',
  );
}

function checkKind(kind: string): CudaMemoryKind {
  const known = KINDS.find((one) => one === kind);
  if (known !== undefined) return known;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'memoryKind',
    `expected device, shared or host, got ${kind}; CUDA has no other kind of memory`,
  );
}
