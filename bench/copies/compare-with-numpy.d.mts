import type { ArrayDescriptor, Backend } from '@array-interface/core';
import type { Copy } from '../layouts/layouts.mjs';

/** How a backend does a copy. */
export type Way = (to: ArrayDescriptor, from: ArrayDescriptor) => Promise<void>;

export declare function compareWithNumpy(comparison: {
  readonly backend: Backend;
  readonly ways: Readonly<Record<string, Way>>;
  readonly copies: readonly Copy[];
  readonly python: string;
  readonly seed: number;
}): Promise<void>;
