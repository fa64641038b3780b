import { ArrayInterfaceError } from '@array-interface/core';
import type { NativePlace, PlaceHandle } from './addon.js';
import { Capsule } from './capsule.js';
import { runtime } from './runtime.js';

/** A device in a SYCL context. Memory and queues belong to one, and reach only what is in it. */
export class SyclContext {
  /** Index among `sycl.devices()`; of the whole device where this is a part of one. */
  readonly device: number;
  /** Filter selector of that device. */
  readonly selector: string;
  /** @internal */
  readonly handle: PlaceHandle;
  readonly #id: number;

  /** @internal `sycl.context()`, `sycl.divide()`, queues and arrays have contexts. */
  constructor({ place, id, device, selector }: NativePlace) {
    this.handle = place;
    this.device = device;
    this.selector = selector;
    this.#id = id;
  }

  /** Whether it is the context that all programs of this process share: dpctl's and dpnp's too. */
  get isDefault(): boolean {
    return this.isSame(contextOf(this.device));
  }

  /** Whether both are one native context, so that queues of one reach memory of the other. */
  isSame(other: SyclContext): boolean {
    return this.#id === other.#id || runtime().sameContext(this.handle, other.handle);
  }

  /**
   * What SUAI reads from a context object: the address of the native `DPCTLSyclContextRef`, valid
   * while the capsule is held. Give Python a queue instead: dpctl ends the process when a context
   * does not know the pointer that comes with it.
   */
  _get_capsule(): Capsule {
    return new Capsule('SyclContextRef', runtime().contextReference(this.handle), this);
  }
}

const defaults = new Map<number, SyclContext>();

/** A device in its default context. Throws ERR_ARGUMENT for a device that is not there. */
export function contextOf(device: number): SyclContext {
  const known = defaults.get(device);
  if (known !== undefined) return known;
  if (!Number.isInteger(device) || device < 0) {
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'device',
      `expected the index of a device, got ${String(device)}; devices() lists them`,
    );
  }
  const made = new SyclContext(runtime().place(device));
  defaults.set(device, made);
  return made;
}
