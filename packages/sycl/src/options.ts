import type { EmptyOptions } from '@array-interface/core';
import { ArrayInterfaceError } from '@array-interface/core';
import {
  type Check,
  type Checks,
  checkDeviceIndex,
  checkFlag,
  checkThat,
} from '@array-interface/core/backend';
import type { UsmType } from './addon.js';
import { KINDS } from './memory/memory.js';
import { contextOf, SyclContext } from './work/context.js';
import type { SyclQueue } from './work/queue.js';

/** The properties of a new queue. */
export interface SyclQueueOptions {
  /** Index of its device; default 0. */
  readonly device?: number;
  /** The context of the queue; default: the device's default context. */
  readonly context?: SyclContext;
  /**
   * Whether the native queue runs one command at a time; default true. Order is kept in either
   * case.
   */
  readonly inOrder?: boolean;
  /** Whether its events have times; default false. */
  readonly profiling?: boolean;
}

/** Takes a context of this package. */
export const checkContext: Check = checkThat(
  SyclContext.is,
  'a context, which sycl.context() gives',
);

/** Takes an alignment. */
export const checkAlignment: Check = checkThat(
  (value) => Number.isInteger(Math.log2(value as number)) && (value as number) >= 1,
  'a power of two, in bytes',
);

/** How `createQueue` reads its options. */
export const QUEUE_OPTIONS: Checks<SyclQueueOptions> = {
  device: checkDeviceIndex,
  context: checkContext,
  inOrder: checkFlag,
  profiling: checkFlag,
};

/** Where new memory is allocated, and of what kind. */
export interface SyclEmptyOptions extends EmptyOptions {
  /** The context of the memory; default: the queue's, or the device's default context. */
  readonly context?: SyclContext;
  /**
   * The first element's address is a multiple of this power of two, in bytes; default 64, which is
   * also the least.
   */
  readonly alignment?: number;
}

/** The context that the options agree on, or the first device's. Throws ERR_ARGUMENT. */
export function contextFrom(
  named: SyclContext | undefined,
  device: number | undefined,
  home: SyclQueue | null,
): SyclContext {
  const context = named ?? home?.context ?? contextOf(device ?? 0);
  const agrees =
    (device === undefined || context.device === device) &&
    (home === null || context.id === home.context.id);
  if (agrees) return context;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    device === undefined ? 'context' : 'device',
    `expected the context and the device that queue or context have, got device ${device ?? 'none'} ` +
      'beside others; name one of the three',
  );
}

/** Throws ERR_ARGUMENT for a kind that SYCL does not have. */
export function usmType(kind: string): UsmType {
  const type = (KINDS as readonly string[]).indexOf(kind);
  if (type > 0) return type as UsmType;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'memoryKind',
    `expected device, shared or host, got ${kind}; SYCL has no other memory`,
  );
}
