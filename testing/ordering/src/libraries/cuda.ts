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

const LEGACY = 1n;
const PER_THREAD = 2n;
const SLOT_BYTES = 1 << 16;
/**
 * What the backend keeps permanently: a stream for each device, and the last event of each stream.
 */
const KEPT = { streams: 2, events: 8 };

function loadProbe(): Probe {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('@array-interface/cuda'))), '..');
  return createRequire(import.meta.url)(join(folder, 'build/Release/test/driver_probe.node'));
}

/** This library's CUDA backend, and another library on the same driver. */
export function cudaWorld(): { readonly ours: Ours; readonly stranger: Stranger } {
  cuda.devices();
  const probe = loadProbe();
  const stranger = new CudaStranger(probe);
  const left = () => {
    const kinds = ['allocations', 'streams', 'events', 'pools'] as const;
    const kept = { allocations: stranger.allocations, pools: 0, ...KEPT };
    const counts = kinds.map((kind) => [kind, Math.max(0, probe.live(kind) - kept[kind])] as const);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  };
  const ours: Ours = {
    backend: cuda,
    driver: new PlannedFaults(failingDriver(probe)),
    createQueue: (device, isPlain) => cuda.createStream({ device, nonBlocking: isPlain }),
    createPool: (device) => cuda.createPool({ device }),
    wrap: ({ handle, device }) => cuda.stream(handle, { device }),
    dictOf: (array) => ({ __cuda_array_interface__: dictOf(array) }),
    recordUse: (array, { handle }) => (array as CudaArray).recordUse(handle),
    releaseCached: () => cuda.releaseCached(),
    left,
    faults: () => [],
  };
  return { ours, stranger };
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
    ['legacy', { handle: LEGACY, device: 0 }],
    ['perThread', { handle: PER_THREAD, device: 0 }],
  ]);
  readonly #probe: Probe;
  readonly #host = new Set<bigint>();
  readonly #slots: bigint;
  #slotAt = 0;
  #joins = 0;

  constructor(probe: Probe) {
    this.#probe = probe;
    probe.makeCurrent(0);
    this.#slots = probe.allocate(SLOT_BYTES);
  }

  /** Allocations that the stranger keeps permanently. */
  get allocations(): number {
    return 1;
  }

  createStream(device: number): StreamHandle {
    this.#probe.makeCurrent(device);
    return { handle: this.#probe.createStream(), device };
  }

  destroyStream({ handle, device }: StreamHandle): void {
    this.#probe.makeCurrent(device);
    this.#probe.destroyStream(handle);
  }

  allocate(length: number, device: number, kind: 'device' | 'host'): bigint {
    this.#probe.makeCurrent(device);
    if (kind === 'device') return this.#probe.allocate(length);
    const pointer = this.#probe.allocateHost(length);
    this.#host.add(pointer);
    return pointer;
  }

  free(pointer: bigint, device: number): void {
    this.#probe.makeCurrent(device);
    if (this.#host.delete(pointer)) this.#probe.freeHost(pointer);
    else this.#probe.free(pointer);
  }

  fill({ handle, device }: StreamHandle, pointer: bigint, value: number, length: number): void {
    this.#probe.makeCurrent(device);
    this.#probe.memset(handle, pointer, value, length);
  }

  copy({ handle, device }: StreamHandle, to: bigint, from: bigint, length: number): void {
    this.#probe.makeCurrent(device);
    this.#probe.copy(handle, to, from, length);
  }

  /** Joins with an event that is destroyed at once. Every other event is first recorded again. */
  join(stream: StreamHandle, other: StreamHandle): void {
    if (stream.handle === other.handle && stream.device === other.device) return;
    const probe = this.#probe;
    probe.makeCurrent(other.device);
    const event = probe.createEvent();
    probe.recordEvent(event, other.handle);
    probe.makeCurrent(stream.device);
    probe.waitEvent(stream.handle, event);
    if (this.#joins++ % 2 === 0) probe.recordEvent(event, other.handle);
    probe.destroyEvent(event);
  }

  synchronize({ handle, device }: StreamHandle): void {
    this.#probe.makeCurrent(device);
    this.#probe.synchronizeStream(handle);
  }

  /** Freeing memory waits for the device. */
  finishAll(): void {
    for (const device of [0, 1]) {
      this.#probe.makeCurrent(device);
      this.#probe.free(this.#probe.allocate(1));
    }
  }

  hold({ handle, device }: StreamHandle): () => void {
    this.#probe.makeCurrent(device);
    return this.#probe.hold(handle);
  }

  slot(length: number): { readonly pointer: bigint; read(): Uint8Array } {
    if (this.#slotAt + length > SLOT_BYTES) this.#slotAt = 0;
    const pointer = this.#slots + BigInt(this.#slotAt);
    this.#slotAt += length;
    const read = () => {
      this.#probe.makeCurrent(0);
      return this.#probe.readBytes(pointer, length);
    };
    return { pointer, read };
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

  give({ pointer, length, stride = 1, stream, version }: Given): object {
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
