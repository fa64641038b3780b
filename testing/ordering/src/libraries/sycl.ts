import { createRequire } from 'node:module';
import type { BackendArray } from '@array-interface/core/backend';
import { type SyclArray, sycl } from '@array-interface/sycl';
import type { Fault } from '../faults/faults.js';
import type { Ours } from './ours.js';
import { type FailingLibrary, PlannedFaults } from './planned-faults.js';
import type { Given, Stranger, StreamHandle, Taken } from './stranger.js';
import { interposerLibrary, interposerProbe, syclAddon } from './sycl-environment.js';

/**
 * The interposer for dpctl's library. packages/sycl/test/support/interposer.ts documents its calls.
 */
interface Interposer {
  call(name: string, ...words: (bigint | number | string)[]): bigint;
  live(): Readonly<Record<'queues' | 'events', number>> &
    Readonly<Record<'device' | 'shared' | 'host', { readonly blocks: number }>>;
  faults(): string[];
  forget(): void;
  hold(queue: bigint): void;
  release(queue: bigint): void;
  setSchedule(order: string): void;
  fail(plan: string): void;
}

/** `cachedQueues` have ended and are kept for reuse. */
type Addon = { liveCounts(): { readonly cachedQueues: number } };

interface Probe {
  open(library: string): Interposer;
  address(buffer: ArrayBuffer): bigint;
}

const IN_ORDER = 2n;
const ALL_DEVICES = (((1n << 5n) - 1n) << 16n) | ((1n << 6n) - 1n);
const SLOT_BYTES = 1 << 16;
/**
 * What each device keeps permanently: the backend's default queue and its allocation queue, with an
 * event each, and a queue of the stranger.
 */
const KEPT = { queues: 3, events: 2 };

/** This library's SYCL backend, and another program on the same library, like dpctl. */
export function syclWorld(): { readonly ours: Ours; readonly stranger: Stranger } {
  const probe = createRequire(import.meta.url)(interposerProbe) as Probe;
  const interposer = probe.open(interposerLibrary);
  const stranger = new SyclStranger(interposer, probe);
  const errors: string[] = [];
  sycl.on('error', (error) => errors.push(error.message));
  const addon = createRequire(import.meta.url)(syclAddon) as Addon;
  /** A queue that dicts cannot name is waited for. */
  const queueOf = (stream: StreamHandle) => {
    try {
      return sycl.asQueue(queueObject(stream.handle));
    } catch (error) {
      stranger.synchronize(stream);
      throw error;
    }
  };
  const ours: Ours = {
    backend: sycl,
    driver: new PlannedFaults(failingLibrary(interposer)),
    createQueue: (device, isPlain) => sycl.createQueue({ device, inOrder: isPlain }),
    createPool: () => {
      throw new Error('there are no pools');
    },
    wrap: ({ handle }) => sycl.asQueue(queueObject(handle)),
    dictOf: (array) => ({ __sycl_usm_array_interface__: dictOf(array) }),
    recordUse: (array, stream) => {
      using queue = queueOf(stream);
      array.recordUse(queue);
    },
    left: () => {
      const { queues, events, device, shared, host } = interposer.live();
      return {
        blocks: device.blocks + shared.blocks + host.blocks,
        queues: queues - KEPT.queues * stranger.devices - addon.liveCounts().cachedQueues,
        events: events - KEPT.events * stranger.devices,
      };
    },
    faults: () => {
      const found = [...interposer.faults(), ...errors.splice(0)];
      interposer.forget();
      return found;
    },
  };
  return { ours, stranger };
}

/** The interposer. */
function failingLibrary(interposer: Interposer): FailingLibrary {
  return {
    plan: (fault) => {
      if (fault === null) return interposer.fail('');
      const how = fault.error === 'throw' ? ':throw' : '';
      interposer.fail(`${fault.call}:${fault.nth ?? '*'}${how}`);
    },
    failed: (call) => Number(interposer.call('Interposer_Failed', call)),
    isOf,
    isOfLoss: () => false,
    losing: [],
    // An out-of-order queue cannot end before its work: if these fail, it remains.
    givesBack: ['free_with_context', 'Queue_SubmitBarrier', 'Queue_Wait'],
  };
}

function isOf(
  told: { readonly code?: unknown; readonly call?: unknown },
  { call }: Fault,
): boolean {
  if (told.code === 'ERR_OUT_OF_MEMORY') return call.startsWith('aligned_alloc');
  if (told.code === 'ERR_POINTER_UNKNOWN' || told.code === 'ERR_OUT_OF_BOUNDS') {
    return call.startsWith('USM_');
  }
  return told.code === 'ERR_SYCL' && told.call === `DPCTL${call}`;
}

/** A queue object as dpctl exports it. The consumer of the capsule copies the reference. */
function queueObject(pointer: bigint) {
  return { _get_capsule: () => ({ name: 'SyclQueueRef', pointer }) };
}

function dictOf(array: BackendArray) {
  return (array as SyclArray).__sycl_usm_array_interface__;
}

class SyclStranger implements Stranger {
  readonly defaultStreams: ReadonlyMap<string, StreamHandle> = new Map();
  readonly #interposer: Interposer;
  readonly #devices: bigint[] = [];
  readonly #context: bigint;
  /** By device: a queue to allocate with. */
  readonly #queues: readonly bigint[];
  readonly #slots = new ArrayBuffer(SLOT_BYTES);
  readonly #slotsAt: bigint;
  /** Memory for a list of one event. */
  readonly #list = new BigUint64Array(1);
  readonly #listAt: bigint;
  readonly #outOfOrder = new Set<bigint>();
  readonly #held = new Set<bigint>();
  #slotAt = 0;
  #made = 0;
  #finished = 0;

  constructor(interposer: Interposer, probe: Probe) {
    this.#interposer = interposer;
    this.#slotsAt = probe.address(this.#slots);
    this.#listAt = probe.address(this.#list.buffer);
    const list = this.#call('DeviceMgr_GetDevices', ALL_DEVICES);
    for (let i = 0n; i < this.#call('DeviceVector_Size', list); i++) {
      this.#devices.push(this.#call('DeviceVector_GetAt', list, i));
    }
    this.#context = this.#call('DeviceMgr_GetCachedContext', this.#devices[0] as bigint);
    this.#queues = this.#devices.map((device) => this.#queue(device, IN_ORDER));
  }

  get devices(): number {
    return this.#devices.length;
  }

  /** Every third queue is out of order; there a barrier follows each command. */
  createStream(device: number): StreamHandle {
    const inOrder = this.#made++ % 3 !== 2;
    const handle = this.#queue(this.#devices[device] as bigint, inOrder ? IN_ORDER : 0n);
    if (!inOrder) this.#outOfOrder.add(handle);
    return { handle, device };
  }

  destroyStream({ handle }: StreamHandle): void {
    this.#letGo(handle);
    this.#outOfOrder.delete(handle);
    this.#call('Queue_Delete', handle);
  }

  allocate(length: number, device: number, kind: 'device' | 'host'): bigint {
    const pointer = this.#call(`malloc_${kind}`, BigInt(length), this.#queues[device] as bigint);
    if (pointer === 0n) throw new Error('no memory');
    return pointer;
  }

  free(pointer: bigint): void {
    this.#call('free_with_context', pointer, this.#context);
  }

  fill({ handle }: StreamHandle, pointer: bigint, value: number, length: number): void {
    this.#enqueue(handle, 'Queue_Memset', pointer, BigInt(value), BigInt(length));
  }

  copy({ handle }: StreamHandle, to: bigint, from: bigint, length: number): void {
    this.#enqueue(handle, 'Queue_Memcpy', to, from, BigInt(length));
  }

  join({ handle }: StreamHandle, other: StreamHandle): void {
    if (handle === other.handle) return;
    const event = this.#call('Queue_SubmitBarrier', other.handle);
    this.#list[0] = event;
    const waits = this.#call('Queue_SubmitBarrierForEvents', handle, this.#listAt, 1n);
    for (const one of [event, waits]) this.#call('Event_Delete', one);
  }

  synchronize({ handle }: StreamHandle): void {
    this.#call('Queue_Wait', handle);
  }

  finishAll(): void {
    const [name, seed] = (process.env['ARRAY_INTERFACE_INTERPOSER_SCHEDULE'] || 'eager').split(':');
    this.#interposer.setSchedule('eager');
    // Another seed for each program, or all would have the same random numbers.
    this.#interposer.setSchedule(`${name}:${Number(seed ?? 1) + ++this.#finished}`);
  }

  hold({ handle }: StreamHandle): () => void {
    this.#interposer.hold(handle);
    this.#held.add(handle);
    return () => this.#letGo(handle);
  }

  slot(length: number): { readonly pointer: bigint; read(): Uint8Array } {
    if (this.#slotAt + length > SLOT_BYTES) this.#slotAt = 0;
    const at = this.#slotAt;
    this.#slotAt += length;
    const read = () => new Uint8Array(this.#slots.slice(at, at + length));
    return { pointer: this.#slotsAt + BigInt(at), read };
  }

  take(array: object): Taken {
    const { shape, strides, data, offset, syclobj } = dictOf(array as BackendArray);
    const { _get_capsule: capsule } = syclobj as ReturnType<typeof queueObject>;
    const handle = this.#call('Queue_Copy', capsule.call(syclobj).pointer);
    if ((this.#call('Queue_IsInOrder', handle) & 0xffn) === 0n) this.#outOfOrder.add(handle);
    return {
      pointer: BigInt(data[0]) + BigInt(offset ?? 0),
      length: Number(shape[0]),
      stride: Number(strides?.[0] ?? 1),
      stream: { handle, device: 0 },
      end: () => this.destroyStream({ handle, device: 0 }),
    };
  }

  give({ pointer, length, stride, stream }: Given): object {
    if (stream === null) throw new Error('a dict names a queue');
    return {
      __sycl_usm_array_interface__: {
        version: 1,
        shape: [length],
        typestr: '|u1',
        strides: stride === 1 ? null : [stride],
        data: [pointer, false],
        offset: 0,
        syclobj: queueObject(stream.handle),
      },
    };
  }

  #call(name: string, ...words: bigint[]): bigint {
    return this.#interposer.call(`DPCTL${name}`, ...words);
  }

  #queue(device: bigint, properties: bigint): bigint {
    return this.#call('Queue_Create', this.#context, device, 0n, properties);
  }

  #enqueue(handle: bigint, name: string, ...words: bigint[]): void {
    const event = this.#call(name, handle, ...words);
    if (event === 0n) throw new Error(`${name} was refused`);
    this.#call('Event_Delete', event);
    if (!this.#outOfOrder.has(handle)) return;
    this.#call('Event_Delete', this.#call('Queue_SubmitBarrier', handle));
  }

  #letGo(handle: bigint): void {
    if (this.#held.delete(handle)) this.#interposer.release(handle);
  }
}
