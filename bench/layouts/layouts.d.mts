/** One side of a copy over a block of memory. */
export interface Side {
  readonly type: string;
  readonly shape: readonly number[];
  readonly byteStrides: readonly number[];
  /** Of the first element in its block, in bytes. */
  readonly offset: number;
}

/** Destination and source. */
export type Copy = readonly [Side, Side];

export declare const LAYOUTS: Readonly<Record<string, Copy>>;
