import type { DTypeLike } from '../../dtype/dtype.js';
import type { Casting } from '../../numbers/casting.js';
import type { BackendQueue, WaitOptions } from './queue.js';

/** The dtype of a new array. */
export interface DTypeOption {
  /** Dtype of the new array. Each function says what it is by default. */
  readonly dtype?: DTypeLike;
}

/** Options of `linspace`, besides those of `empty`. */
export interface LinspaceOptions extends DTypeOption {
  /** Whether the last element is `stop`. Default: true. */
  readonly endpoint?: boolean;
}

/** Options of `eye`, besides those of `empty`. */
export interface EyeOptions extends DTypeOption {
  /** The diagonal of the ones: 0 is the main one, above it are positive numbers. Default: 0. */
  readonly k?: number;
}

/** The axis that a function works along. */
export interface AxisOption {
  /** The axis; negative ones count from the end. Each function says what it is by default. */
  readonly axis?: number;
}

/** Options of `stack`, besides those of `empty`. */
export interface StackOptions extends DTypeOption, AxisOption {
  /** Which conversions to `dtype` are allowed. Default: `same_kind`. */
  readonly casting?: Casting;
}

/** Options of `concat`, besides those of `empty`. */
export interface ConcatOptions extends DTypeOption {
  /** The axis; negative ones count from the end. Null: all arrays are flattened. Default: 0. */
  readonly axis?: number | null;
  /** Which conversions to `dtype` are allowed. Default: `same_kind`. */
  readonly casting?: Casting;
}

/** Options of `roll`, besides those of `empty`. */
export interface RollOptions {
  /** One axis, or one for each shift. Default: elements are shifted in C order. */
  readonly axis?: number | readonly number[];
}

/** Options of `put`. */
export interface PutOptions extends WaitOptions, AxisOption {
  /** The queue for the work. Default: the array's home queue, else the backend's own. */
  readonly queue?: BackendQueue;
  /** Which conversions of the values are allowed. Default: `same_kind`. */
  readonly casting?: Casting;
}
