import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BackendArray } from '@array-interface/core/backend';
import { type CudaArray, cuda } from '@array-interface/cuda';
import { FAULT_KINDS } from '../faults/fault-kinds.js';
import type { Fault } from '../faults/faults.js';
import type { Ours } from './ours.js';
import { type FailingLibrary, PlannedFaults } from './planned-faults.js';
import type { Given, Stranger, StreamHandle, Taken } from './stranger.js';

/** Calls of the driver, documented in packages/cuda/test/support/probe.ts. */
interface Probe {
  makeCurrent(device: number): void;
  allocate(byteLength: number): bigint;
  free(pointer: bigint): void;
  allocateHost(byteLength: number): bigint;
  freeHost(pointer: bigint): void;
  readBytes(pointer: bigint, byteLength: number): Uint8Array;
  createStream(): bigint;
  destroyStream(stream: bigint): void;
  synchronizeStream(stream: bigint): void;
  hold(stream: bigint): () => void;
  memset(stream: bigint, pointer: bigint, byte: number, byteLength: number): void;
  copy(stream: bigint, to: bigint, from: bigint, byteLength: number): void;
  createEvent(): bigint;
  recordEvent(event: bigint, stream: bigint): void;
  waitEvent(stream: bigint, event: bigint): void;
  destroyEvent(event: bigint): void;
  live(kind: string): number;
  fail(plan: string): void;
  failed(name: string): number;
}

const SLOT_BYTES = 1 << 16;
/**
 * What is kept permanently: the stranger's slots, the backend's stream for each device, and the last
 * event of each stream.
 */
const KEPT = { allocations: 1, streams: 2, events: 8, pools: 0 };

function loadProbe(): Probe {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('@array-interface/cuda'))), '..');
  return createRequire(import.meta.url)(join(folder, 'build/Release/test/driver_probe.node'));
}

/** This library's CUDA backend, and another library on the same driver. */
export function cudaWorld(): { readonly ours: Ours; readonly stranger: Stranger } {
  cuda.devices();
  const probe = loadProbe();
  const ours: Ours = {
    backend: cuda,
    driver: new PlannedFaults(failingDriver(probe)),
    createQueue: (device, isPlain) => cuda.createStream({ device, nonBlocking: isPlain }),
    createPool: (device) => cuda.createPool({ device }),
    wrap: ({ handle, device }) => cuda.stream(handle, { device }),
    dictOf: (array) => ({ __cuda_array_interface__: dictOf(array) }),
    recordUse: (array, { handle }) => (array as CudaArray).recordUse(handle),
    left: () => {
      const counts = Object.entries(KEPT).map(([kind, kept]) => [kind, probe.live(kind) - kept]);
      return Object.fromEntries(counts);
    },
    faults: () => [],
  };
  return { ours, stranger: new CudaStranger(probe) };
}

/** Functions of the driver without which nothing can be freed. */
const GIVES_BACK = [
  'cuCtxGetCurrent',
  'cuCtxPushCurrent',
  'cuEventDestroy',
  'cuMemFree',
  'cuMemFreeAsync',
  'cuMemFreeHost',
  'cuMemPoolDestroy',
  'cuStreamDestroy',
];

/** The simulator. */
function failingDriver(probe: Probe): FailingLibrary {
  return {
    plan: (fault) => {
      probe.fail(fault === null ? '' : `${fault.call}:${fault.nth ?? '*'}:${fault.error}`);
    },
    failed: (call) => probe.failed(call),
    isOf,
    isOfLoss: ({ code }) => code === undefined || code === 'ERR_CUDA',
    losing: FAULT_KINDS.cuda.losing,
    givesBack: GIVES_BACK,
  };
}

function isOf(
  told: { readonly code?: unknown; readonly call?: unknown; readonly driverCode?: unknown },
  { call, error }: Fault,
): boolean {
  if (told.code === 'ERR_OUT_OF_MEMORY' && !told.call) return error === 'OUT_OF_MEMORY';
  return told.call === call && told.driverCode === `CUDA_ERROR_${error}`;
}

function dictOf(array: BackendArray) {
  return (array as CudaArray).__cuda_array_interface__;
}

class CudaStranger implements Stranger {
  readonly defaultStreams: ReadonlyMap<string, StreamHandle> = new Map([
    ['legacy', { handle: 1n, device: 0 }],
    ['perThread', { handle: 2n, device: 0 }],
  ]);
  readonly #probe: Probe;
  readonly #host = new Set<bigint>();
  readonly #slots: bigint;
  #slotAt = 0;
  #joins = 0;

  constructor(probe: Probe) {
    this.#probe = probe;
    this.#slots = this.allocate(SLOT_BYTES, 0, 'device');
  }

  /** The driver, with a device's context current. */
  #on(device: number): Probe {
    this.#probe.makeCurrent(device);
    return this.#probe;
  }

  createStream(device: number): StreamHandle {
    return { handle: this.#on(device).createStream(), device };
  }

  destroyStream({ handle, device }: StreamHandle): void {
    this.#on(device).destroyStream(handle);
  }

  allocate(length: number, device: number, kind: 'device' | 'host'): bigint {
    if (kind === 'device') return this.#on(device).allocate(length);
    const pointer = this.#on(device).allocateHost(length);
    this.#host.add(pointer);
    return pointer;
  }

  free(pointer: bigint, device: number): void {
    if (this.#host.delete(pointer)) this.#on(device).freeHost(pointer);
    else this.#on(device).free(pointer);
  }

  fill({ handle, device }: StreamHandle, pointer: bigint, value: number, length: number): void {
    this.#on(device).memset(handle, pointer, value, length);
  }

  copy({ handle, device }: StreamHandle, to: bigint, from: bigint, length: number): void {
    this.#on(device).copy(handle, to, from, length);
  }

  /** Joins with an event that is destroyed at once. Every other event is first recorded again. */
  join(stream: StreamHandle, other: StreamHandle): void {
    if (stream.handle === other.handle && stream.device === other.device) return;
    const event = this.#on(other.device).createEvent();
    this.#probe.recordEvent(event, other.handle);
    this.#on(stream.device).waitEvent(stream.handle, event);
    if (this.#joins++ % 2 === 0) this.#probe.recordEvent(event, other.handle);
    this.#probe.destroyEvent(event);
  }

  synchronize({ handle, device }: StreamHandle): void {
    this.#on(device).synchronizeStream(handle);
  }

  /** Freeing memory waits for the device. */
  finishAll(): void {
    for (const device of [0, 1]) this.free(this.allocate(1, device, 'device'), device);
  }

  hold({ handle, device }: StreamHandle): () => void {
    return this.#on(device).hold(handle);
  }

  slot(length: number): { readonly pointer: bigint; read(): Uint8Array } {
    if (this.#slotAt + length > SLOT_BYTES) this.#slotAt = 0;
    const pointer = this.#slots + BigInt(this.#slotAt);
    this.#slotAt += length;
    return { pointer, read: () => this.#on(0).readBytes(pointer, length) };
  }

  take(array: object): Taken {
    const { shape, strides, data, stream } = dictOf(array as BackendArray);
    const { device } = array as CudaArray;
    return {
      pointer: BigInt(data[0] ?? 0),
      length: shape[0] as number,
      stride: Number(strides?.[0] ?? 1),
      stream: stream == null ? null : { handle: BigInt(stream), device },
      end: () => {},
    };
  }

  give({ pointer, length, stride, stream, version }: Given): object {
    return {
      __cuda_array_interface__: {
        version,
        shape: [length],
        typestr: '|u1',
        strides: stride === 1 ? null : [stride],
        data: [pointer, false],
        ...(version === 3 && { stream: stream?.handle ?? null }),
      },
    };
  }
}
