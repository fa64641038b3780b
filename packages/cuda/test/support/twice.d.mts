import type { Kernel } from '@array-interface/core/kernel';

export declare const TWICE: string;
export declare function twice(): Kernel<{
  readonly at: { readonly write: 'float32' };
  readonly n: 'uint32';
  readonly room: { readonly local: 'float32' };
}>;
