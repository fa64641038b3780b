import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';
import type { ContextDeviceHandle, NativeContextDevice } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { Capsule } from './capsule.js';

/**
 * A device in a SYCL context; memory and queues belong to one. Kernels reach device memory of their
 * own device, and shared and host memory of the context. Contiguous bytes cross between its
 * devices.
 */
export class SyclContext {
  /** Index among `sycl.devices()`. A part of a device has the index of the whole. */
  readonly device: number;
  /** Filter selector of that device. */
  readonly selector: string;
  /** @internal */
  readonly handle: ContextDeviceHandle;
  /** A number that no other device in a context has. @internal */
  readonly id: number;
  readonly #contextId: number;

  /** Whether it is a context, and no proxy of one. @internal */
  static is(value: unknown): value is SyclContext {
    return typeof value === 'object' && value !== null && #contextId in value;
  }

  /** @internal `sycl.context()`, `sycl.divide()`, queues and arrays have contexts. */
  constructor({ contextDevice, id, contextId, device, selector }: NativeContextDevice) {
    this.handle = contextDevice;
    this.id = id;
    this.#contextId = contextId;
    this.device = device;
    this.selector = selector;
  }

  /** Whether it is the context that all code in this process shares, dpctl's and dpnp's too. */
  get isDefault(): boolean {
    return this.isSame(contextOf(this.device));
  }

  /** Whether both are one native context, perhaps with another device. */
  isSame(other: SyclContext): boolean {
    return SyclContext.is(other) && this.#contextId === other.#contextId;
  }

  /**
   * What SUAI reads from a context object: the address of the native `DPCTLSyclContextRef`, valid
   * while the capsule is held. Give Python a queue instead, since dpctl ends the process when a
   * context does not know the pointer that comes with it.
   */
  _get_capsule(): Capsule {
    return new Capsule('SyclContextRef', runtime().contextReference(this.handle), this);
  }
}

const defaults = new Map<number, SyclContext>();

/** A device in its default context. Throws ERR_ARGUMENT for a device that does not exist. */
export function contextOf(device: number): SyclContext {
  const known = defaults.get(device);
  if (known !== undefined) return known;
  if (!Number.isInteger(device) || device < 0) {
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'device',
      `expected the index of a device, got ${show(device)}; devices() lists them`,
    );
  }
  const made = contextAt(runtime().contextDevice(device));
  defaults.set(device, made);
  return made;
}

const contexts = new Map<number, WeakRef<SyclContext>>();
const forgotten = new FinalizationRegistry<number>((id) => {
  if (contexts.get(id)?.deref() === undefined) contexts.delete(id);
});

/** The one object for a device in a context, while anything holds it. */
export function contextAt(native: NativeContextDevice): SyclContext {
  const known = contexts.get(native.id)?.deref();
  if (known !== undefined) return known;
  const made = new SyclContext(native);
  contexts.set(native.id, new WeakRef(made));
  forgotten.register(made, native.id);
  return made;
}
