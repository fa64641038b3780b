import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';
import type { ContextDeviceHandle, NativeContextDevice } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { Capsule } from './capsule.js';

/**
 * A device in a SYCL context. Each memory and each queue belongs to one. Kernels can access device
 * memory of their own device, and shared and host memory of the context. Contiguous bytes are
 * copied directly between devices of one context.
 *
 * @example
 * ```ts
 * import { sycl } from '@array-interface/sycl';
 *
 * const context = sycl.context(0);
 * using queue = sycl.createQueue({ context });
 * using array = sycl.empty([3], 'float32', { context });
 * ```
 */
export class SyclContext {
  /** Index in `sycl.devices()`. A part of a device has the index of the whole device. */
  readonly device: number;
  /** Filter selector of the device. */
  readonly selector: string;
  /** @internal */
  readonly handle: ContextDeviceHandle;
  /** Unique among devices in contexts in this process. @internal */
  readonly id: number;
  readonly #contextId: number;

  /** True for a real context, not a proxy of one. @internal */
  static is(value: unknown): value is SyclContext {
    return typeof value === 'object' && value !== null && #contextId in value;
  }

  /** @internal Contexts come from `sycl.context()`, `sycl.divide()`, queues and arrays. */
  constructor({ handle: contextDevice, id, contextId, device, selector }: NativeContextDevice) {
    this.handle = contextDevice;
    this.id = id;
    this.#contextId = contextId;
    this.device = device;
    this.selector = selector;
  }

  /**
   * Whether this is the default context, which all code in this process shares, dpctl and dpnp
   * included.
   */
  get isDefault(): boolean {
    return this.isSame(contextOf(this.device));
  }

  /** Whether both are one native context, possibly with different devices. */
  isSame(other: SyclContext): boolean {
    return SyclContext.is(other) && this.#contextId === other.#contextId;
  }

  /**
   * Returns the capsule that SUAI reads from a context object. It holds the address of the native
   * `DPCTLSyclContextRef`, which is valid while the capsule is referenced. Pass a queue to Python
   * instead: dpctl ends the process if a context does not have the pointer that comes with it.
   */
  _get_capsule(): Capsule {
    return new Capsule('SyclContextRef', runtime().contextReference(this.handle), this);
  }
}

const defaults = new Map<number, SyclContext>();

/**
 * Returns a device in its default context. Throws ERR_ARGUMENT for a device that does not exist.
 */
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

/** The one object for a device in a context, as long as it is referenced. */
export function contextAt(native: NativeContextDevice): SyclContext {
  const known = contexts.get(native.id)?.deref();
  if (known !== undefined) return known;
  const made = new SyclContext(native);
  contexts.set(native.id, new WeakRef(made));
  forgotten.register(made, native.id);
  return made;
}
