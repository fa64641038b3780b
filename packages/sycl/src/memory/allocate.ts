import type { BackendIdentity } from '@array-interface/core/backend';
import type { UsmType } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import type { SyclContext } from '../work/context.js';
import type { SyclQueue } from '../work/queue.js';
import { SyclMemory } from './memory.js';

/** The alignment in bytes that suits every kind of access: a cache line. */
export const WIDEST = 64;
/** The runtime's numbers for kinds of USM memory. */
export const DEVICE: UsmType = 1;
export const HOST: UsmType = 3;

/** The memory that the caller requests. */
export interface AllocationRequest {
  readonly type: UsmType;
  readonly byteLength: number;
  readonly homeQueue?: SyclQueue | null;
  readonly alignment?: number;
  /** The most milliseconds to block while memory is being freed. */
  readonly timeout: number;
}

/** Allocates uninitialised memory. Throws ERR_OUT_OF_MEMORY. */
export function allocate(
  backend: BackendIdentity,
  context: SyclContext,
  { type, byteLength, homeQueue = null, alignment = WIDEST, timeout }: AllocationRequest,
): SyclMemory {
  const { handle } = context;
  const native = runtime().allocate(handle, type, byteLength, timeout, alignment);
  const allocation = native.range as NonNullable<typeof native.range>;
  const { pointer } = allocation;
  return new SyclMemory(backend, native, { pointer, allocation, homeQueue });
}
