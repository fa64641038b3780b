import { ImportedCapsule } from '../interface/capsule.js';
import type { Sync } from '../interface/options.js';
import type { DeviceAddon } from './addon.js';
import type { DeviceMemory } from './memory.js';

/**
 * Returns how a device's work is ordered after a producer's if the caller does not say. `env` is
 * the process's environment.
 */
export function defaultSync(env: { readonly [variable: string]: string | undefined }): Sync {
  return env['ARRAY_INTERFACE_SYNC'] === '0' ? 'none' : 'wait';
}

/** Returns what the addon keeps for an owner: a capsule's reference to its array, or the owner. */
export function nativeOwner(owner: unknown): unknown {
  return owner instanceof ImportedCapsule ? owner.handle : owner;
}

/** Orders work on a memory after its producer's work, if the producer has a queue. */
export function follow(
  addon: DeviceAddon,
  { native, producer, producerQueue }: DeviceMemory,
  sync: Sync,
): void {
  addon.follow(native, producerQueue?.native ?? null, sync, nativeOwner(producer));
}
