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
  /** Index of the device. Default: 0. */
  readonly device?: number;
  /** The context of the queue. Default: the device's default context. */
  readonly context?: SyclContext;
  /**
   * Whether the native queue runs one command at a time. Default: true. Work on an array stays
   * ordered in either case.
   */
  readonly inOrder?: boolean;
  /** Whether `event.times` is available for the queue's events. Default: false. */
  readonly profiling?: boolean;
}

/** Accepts a context of this package. */
export const checkContext: Check = checkThat(SyclContext.is, 'a context from sycl.context()');

/** Accepts an alignment. */
export const checkAlignment: Check = checkThat(
  (value) => Number.isInteger(Math.log2(value as number)) && (value as number) >= 1,
  'a power of two, in bytes',
);

/** The checks of the options of `createQueue`. */
export const QUEUE_OPTIONS: Checks<SyclQueueOptions> = {
  device: checkDeviceIndex,
  context: checkContext,
  inOrder: checkFlag,
  profiling: checkFlag,
};

/** Where and how new memory is allocated. */
export interface SyclEmptyOptions extends EmptyOptions {
  /** The context of the memory. Default: the queue's, or the device's default context. */
  readonly context?: SyclContext;
  /**
   * Alignment of the first element in bytes, a power of two. The default, 64, is also the minimum.
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
  const got = device === undefined ? 'another context' : `device ${device} with another context`;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    device === undefined ? 'context' : 'device',
    `expected a queue, context and device that belong together, got ${got}; ` +
      'name only one of the three',
  );
}

/** Throws ERR_ARGUMENT for a kind of memory that SYCL does not have. */
export function usmType(kind: string): UsmType {
  const type = (KINDS as readonly string[]).indexOf(kind);
  if (type > 0) return type as UsmType;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'memoryKind',
    `expected device, shared or host, got ${kind}; SYCL has no other kind of memory`,
  );
}
