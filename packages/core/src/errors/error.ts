import { cut, printable } from './show.js';
import { beginAtCaller, type Frames } from './stack.js';
import { withFallback } from './with-fallback.js';

/** Every code of an `ArrayInterfaceError`. `docs/errors.md` lists the cause and cure of each. */
export type ErrorCode =
  // reading an interface
  | 'ERR_TYPE'
  | 'ERR_MISSING_KEY'
  | 'ERR_VERSION'
  | 'ERR_TYPESTR'
  | 'ERR_DTYPE_UNSUPPORTED'
  | 'ERR_BYTE_ORDER'
  | 'ERR_DESCR'
  | 'ERR_NEGATIVE_DIMENSION'
  | 'ERR_RANK_MISMATCH'
  | 'ERR_OVERFLOW'
  | 'ERR_POINTER_RANGE'
  | 'ERR_NULL_POINTER'
  | 'ERR_STREAM'
  | 'ERR_MASK'
  | 'ERR_SYCLOBJ'
  | 'ERR_NO_INTERFACE'
  // writing into a protocol that cannot hold it
  | 'ERR_STRIDE_UNIT'
  // views, overlap and options
  | 'ERR_NOT_A_VIEW'
  | 'ERR_ARGUMENT'
  | 'ERR_TOO_HARD'
  // copies, before anything is written
  | 'ERR_SHAPE_MISMATCH'
  | 'ERR_CASTING'
  | 'ERR_READ_ONLY'
  | 'ERR_SELF_OVERLAP'
  // backends
  | 'ERR_BACKEND_UNAVAILABLE'
  | 'ERR_POINTER_UNKNOWN'
  | 'ERR_NOT_ACCESSIBLE'
  | 'ERR_OUT_OF_BOUNDS'
  | 'ERR_OUT_OF_MEMORY'
  | 'ERR_DISPOSED'
  | 'ERR_CAPTURE'
  | 'ERR_TICKET'
  | 'ERR_KERNEL'
  | 'ERR_OVERLAP'
  | 'ERR_PENDING'
  | 'ERR_CUDA'
  | 'ERR_SYCL'
  | 'ERR_PYTHON';

const brand = Symbol.for('array-interface.error');
/** The maximum length of a message; core's own messages are far shorter. */
const LONGEST = 2000;

/**
 * The only error class of all packages: a code to branch on, the path of the offending key, and a
 * message of the form "[code] path: expected …, got …; what to do".
 *
 * Its stack begins at the line that called these packages.
 *
 * @example
 * ```ts
 * import { fromArrayInterface, isArrayInterfaceError } from '@array-interface/core';
 *
 * const data = new ArrayBuffer(4);
 * try {
 *   fromArrayInterface({ version: 3, shape: [2], typestr: '<f4', data });
 * } catch (error) {
 *   if (!isArrayInterfaceError(error, 'ERR_OUT_OF_BOUNDS')) throw error;
 *   console.log(error.path); // offset
 * }
 * ```
 */
export class ArrayInterfaceError extends Error {
  /** Printed before the message. */
  override readonly name: string = 'ArrayInterfaceError';
  /** What went wrong, to branch on. `docs/errors.md` lists the cause and cure of each code. */
  declare readonly code: ErrorCode;
  /** Location of the fault in the dict or the arguments (`strides[1]`, `data[0]`), or null. */
  declare readonly path: string | null;
  /** The message without code and path: "expected …, got …; what to do". */
  declare readonly reason: string;
  /**
   * The driver's own name of the error, such as `CUDA_ERROR_ILLEGAL_ADDRESS`, if a driver failed.
   */
  declare readonly driverCode?: string;
  /** The driver's own number of the error. */
  declare readonly driverNumber?: number;
  /** The driver function that failed, such as `cuMemAlloc`. */
  declare readonly call?: string;

  readonly #frames: Frames;

  /** `reason` is the message without code and path, which are put in front of it. */
  constructor(
    code: ErrorCode,
    path: string | null,
    reason: string,
    options: {
      readonly cause?: unknown;
      readonly driverCode?: string;
      readonly driverNumber?: number;
      readonly call?: string;
      /** Lines below the message: the text that is at fault, and a mark under the fault. */
      readonly excerpt?: readonly string[];
    } = {},
  ) {
    // safe for logs and terminals, since producers and drivers supply parts of it
    const text = printable(reason);
    const where = printable(`[${code}] ${path === null ? '' : `${path}: `}`);
    const { excerpt = [] } = options;
    const lines = excerpt.map((line) => `\n  | ${printable(cut(line, LONGEST - 1))}`);
    super(cut(where + text, LONGEST - 1) + lines.join(''), options); // reads its cause
    const { cause: _, excerpt: __, ...driver } = options;
    Object.assign(this, { code, path }, driver); // without a driver error, no driver property is printed
    // not enumerable, since printing the error shows its message already
    Object.defineProperty(this, 'reason', { value: cut(text, LONGEST - 1) });
    this.#frames = beginAtCaller(this, ArrayInterfaceError);
  }

  /**
   * The stack with the frames inside these packages, for a report of a mistake in them. `stack`
   * begins where they were called.
   */
  get fullStack(): string | undefined {
    return this.#frames.stack;
  }

  static {
    // marks errors of every installed copy of this package
    Object.defineProperty(ArrayInterfaceError.prototype, brand, { value: true });
  }
}

/**
 * Returns whether `error` is an `ArrayInterfaceError`, of any installed copy of core. If codes are
 * given, also requires one of them. Never throws, whatever `error` is.
 *
 * @example
 * ```ts
 * import { isArrayInterfaceError } from '@array-interface/core';
 * import { cuda } from '@array-interface/cuda';
 *
 * const copy = await cuda.array([1, 2, 3]).catch((error: unknown) => {
 *   if (isArrayInterfaceError(error, 'ERR_OUT_OF_MEMORY')) return null;
 *   throw error;
 * });
 * ```
 */
export function isArrayInterfaceError(
  error: unknown,
  ...codes: readonly ErrorCode[]
): error is ArrayInterfaceError {
  if (typeof error !== 'object' || error === null) return false;
  const fits = () => codes.length === 0 || codes.includes((error as ArrayInterfaceError).code);
  return withFallback(() => brand in error && fits(), false);
}
