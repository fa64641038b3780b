import {
  type Check,
  type Checks,
  checkDeviceIndex,
  checkFlag,
  checkOneOf,
  checkSignal,
  checkThat,
  unchecked,
} from '../../input/options.js';
import { checkCasting } from '../../numbers/casting.js';
import { checkRounding } from '../../numbers/rounding.js';
import type { OwnOptions } from './driver.js';
import type {
  AxisOption,
  ConcatOptions,
  DTypeOption,
  EyeOptions,
  LinspaceOptions,
  PutOptions,
  RollOptions,
} from './function-options.js';
import type {
  AllCloseOptions,
  ArrayOptions,
  BorrowOptions,
  CopyOptions,
  EmptyOptions,
} from './options.js';
import { checkQueue } from './queue.js';

/** Accepts a way of ordering work after other work. */
export const checkSync: Check = checkOneOf('wait', 'block', 'none');

const COPY: Checks<CopyOptions> = {
  signal: checkSignal,
  queue: checkQueue,
  casting: checkCasting,
  rounding: checkRounding,
  onProgress: checkThat((value) => typeof value === 'function', 'a function'),
  chunkBytes: checkThat(
    (value) => Number.isSafeInteger(value) && (value as number) > 0,
    'a positive number of bytes, or undefined for the default',
  ),
};
const EMPTY: Checks<EmptyOptions> = {
  queue: checkQueue,
  device: checkDeviceIndex,
  byteStrides: unchecked,
  // The backend checks which kinds exist.
  memoryKind: checkThat((value) => typeof value === 'string', 'the name of a memory kind'),
};
const MORE: Checks<Omit<ArrayOptions, keyof EmptyOptions | keyof CopyOptions>> = {
  dtype: unchecked,
  shape: unchecked,
};
const BORROW: Checks<BorrowOptions> = {
  shape: unchecked,
  dtype: unchecked,
  byteStrides: unchecked,
  elementStrides: unchecked,
  byteOffset: unchecked,
  elementOffset: unchecked,
  sync: checkSync,
  bounds: checkOneOf('check', 'trust'),
  readOnly: checkFlag,
};

/** The options of functions of arrays, each with its check, including the backend's own. */
export interface FunctionChecks {
  readonly empty: Checks<EmptyOptions>;
  readonly like: Checks<EmptyOptions & DTypeOption>;
  readonly linspace: Checks<EmptyOptions & LinspaceOptions>;
  readonly eye: Checks<EmptyOptions & EyeOptions>;
  readonly join: Checks<EmptyOptions & ConcatOptions>;
  readonly along: Checks<EmptyOptions & RollOptions>;
}

/** Returns the checks for a backend with these options. */
export function functionChecks(own: OwnOptions = {}): FunctionChecks {
  const empty = { ...EMPTY, ...own.empty };
  const like = { ...empty, dtype: unchecked };
  const k = checkThat(Number.isSafeInteger, 'the number of a diagonal: an integer');
  return {
    empty,
    like,
    linspace: { ...like, endpoint: checkFlag },
    eye: { ...like, k },
    join: { ...like, axis: unchecked, casting: checkCasting },
    along: { ...empty, axis: unchecked },
  };
}

/** The checks of `unstack`. */
export const AXIS: Checks<AxisOption> = { axis: unchecked };
/** The checks of `put`. */
export const PUT: Checks<PutOptions> = {
  axis: unchecked,
  signal: checkSignal,
  queue: checkQueue,
  casting: checkCasting,
};

const checkTolerance = checkThat(
  (value) => typeof value === 'number' && value >= 0,
  'a number of 0 or more',
);
/** Checks of `Backend.allClose`. */
export const ALL_CLOSE: Checks<AllCloseOptions> = {
  signal: checkSignal,
  rtol: checkTolerance,
  atol: checkTolerance,
  equalNaN: checkFlag,
};

/** The options that the functions of a backend accept, including its own. */
export class KnownOptions {
  /** Options of a copy. */
  readonly copy: Checks<CopyOptions>;
  /** Options of a copy into JavaScript memory. */
  readonly download: Checks<CopyOptions & Pick<ArrayOptions, 'dtype'>>;
  /** Options of new memory. */
  readonly empty: Checks<EmptyOptions>;
  /** Options of a copy into new memory. */
  readonly array: Checks<ArrayOptions>;
  /** Options of borrowed memory. */
  readonly borrow: Checks<BorrowOptions>;

  constructor(own: OwnOptions = {}) {
    this.copy = { ...COPY, ...own.copy };
    this.download = { ...this.copy, dtype: unchecked };
    this.empty = { ...EMPTY, ...own.empty };
    this.array = { ...this.empty, ...this.copy, ...MORE };
    this.borrow = { ...BORROW, ...own.borrow };
  }

  /** Picks the options of `copy` from those of `array`. */
  copyOptionsOf(options: CopyOptions): CopyOptions {
    return only(options, Object.keys(this.copy));
  }
}

/** Picks the options of `copy` for another backend, which does not know this backend's queues. */
export function copyOptionsForOthers(options: CopyOptions): CopyOptions {
  const { queue: _, ...others } = options;
  return only(others, Object.keys(COPY));
}

function only(options: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));
}
