import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Allocation } from '@array-interface/core/backend';
import {
  backendUnavailable,
  type CopyPlan,
  type LoadedAddon,
  loadAddon,
  type NativeAddon,
} from '@array-interface/core/backend';
import type { NativeExplanation } from './copy-explanation.js';
import { ownFile } from './own-file.js';

/** A lease on an allocation of the addon; collected by the garbage collector if never released. */
export type LeaseHandle = { readonly lease: unique symbol };

/** What the operating system says about a range of addresses. */
export interface Access {
  /** Whether the first byte belongs to a mapping, readable or not. */
  readonly mapped: boolean;
  /** Bytes that can be read, from the first one on. */
  readonly readable: number;
  /** Whether every readable byte can be written too. */
  readonly writable: boolean;
}

/** The functions of `host.node`. */
export interface Addon extends NativeAddon {
  /** Throws ERR_OUT_OF_MEMORY. */
  allocate(byteLength: number): { readonly handle: LeaseHandle; readonly pointer: bigint };
  /** Ends a lease; the last one frees the memory. */
  release(handle: LeaseHandle): void;
  /** Allocations of the process that are not freed. */
  liveAllocations(): number;
  /** The allocation around an address, or null. */
  find(pointer: bigint): Allocation | null;
  /** One more lease on the allocation around an address, or null. */
  hold(pointer: bigint): LeaseHandle | null;
  /** Null where the operating system does not tell. */
  access(pointer: bigint, byteLength: number): Access | null;
  /** The address of a Uint8Array over a whole buffer; 0 when it has no bytes. */
  addressOf(bytes: Uint8Array): bigint;
  /**
   * Runs a plan at once, on at most `threads` threads (1 to 1024). It does not check the addresses.
   */
  copy(plan: CopyPlan, threads: number): void;
  /** What `copy` would do with a plan of at least one element. It touches neither address. */
  explain(plan: CopyPlan, threads: number): NativeExplanation;
  /** Copies one run of bytes at once. It does not check the addresses. */
  copyBytes(destination: bigint, source: bigint, byteLength: number): void;
}

let found: LoadedAddon<Addon> | null = null;

/** The addon, or why there is none. Looks for it once. Never throws. */
export function findAddon(): LoadedAddon<Addon> {
  found ??= loadAddon<Addon>({
    name: 'host',
    built: join(dirname(ownFile), '../build/Release/'),
    targets: ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl'],
    require: createRequire(ownFile),
  });
  return found;
}

/** The addon, loaded at first use. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  const answer = findAddon();
  if (answer.available) return answer.addon;
  throw backendUnavailable('the host addon', answer);
}
