import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sycl } from '@array-interface/sycl';

interface Addon {
  call(library: string, name: string, ...parameters: bigint[]): bigint;
}

const folder =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(import.meta.dirname, '../../build/Release');
const addon = createRequire(import.meta.url)(join(folder, 'test/other_library.node')) as Addon;

/** Calls a function of dpctl's C library by its name, as another library in this process would. */
export function dpctl(name: string, ...parameters: bigint[]): bigint {
  const { availability } = sycl;
  if (!availability.available) throw new Error(availability.reason);
  return addon.call(availability.library, `DPCTL${name}`, ...parameters);
}

/** Another library's queue and context; `inOwnContext`: in one that nobody else has. */
export class OtherQueue implements Disposable {
  readonly context: bigint;
  readonly queue: bigint;
  readonly #device: bigint;
  readonly #memory: bigint[] = [];

  constructor(inOwnContext: boolean) {
    const selector = sycl.createQueue();
    this.#device = dpctl('Queue_GetDevice', selector._get_capsule().pointer);
    selector[Symbol.dispose]();
    this.context = inOwnContext
      ? dpctl('Context_Create', this.#device, 0n, 0n)
      : dpctl('DeviceMgr_GetCachedContext', this.#device);
    this.queue = dpctl('Queue_Create', this.context, this.#device, 0n, 0n);
  }

  /** Shared memory of so many bytes, all of them `value`. */
  allocate(byteLength: number, value = 0): bigint {
    const pointer = dpctl('malloc_shared', BigInt(byteLength), this.queue);
    this.#memory.push(pointer);
    const event = dpctl('Queue_Memset', this.queue, pointer, BigInt(value), BigInt(byteLength));
    dpctl('Event_Wait', event);
    dpctl('Event_Delete', event);
    return pointer;
  }

  /** Enqueues a copy. */
  copy(destination: bigint, source: bigint, byteLength: number): void {
    const size = BigInt(byteLength);
    dpctl('Event_Delete', dpctl('Queue_Memcpy', this.queue, destination, source, size));
  }

  [Symbol.dispose](): void {
    dpctl('Queue_Wait', this.queue);
    for (const pointer of this.#memory) dpctl('free_with_context', pointer, this.context);
    dpctl('Queue_Delete', this.queue);
    dpctl('Context_Delete', this.context);
    dpctl('Device_Delete', this.#device);
  }
}
