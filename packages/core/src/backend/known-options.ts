import { casting } from './casting.js';
import { checkQueue } from './check-queue.js';
import type { Driver } from './driver.js';
import type { ArrayOptions, BorrowOptions, CopyOptions, EmptyOptions } from './options.js';
import {
  anything,
  byteCount,
  type Check,
  type Checks,
  flag,
  listener,
  natural,
  oneOf,
  readOptions,
  signal,
  text,
} from './read-options.js';

/** For an option that says how work is ordered after other work. */
export const sync: Check = oneOf('wait', 'block', 'none');

const COPY: Checks<CopyOptions> = {
  signal,
  queue: checkQueue,
  casting,
  onProgress: listener,
  chunkBytes: byteCount,
};
const EMPTY: Checks<EmptyOptions> = {
  queue: checkQueue,
  device: natural,
  byteStrides: anything,
  memoryKind: text,
};
const MORE: Checks<Omit<ArrayOptions, keyof EmptyOptions | keyof CopyOptions>> = {
  dtype: anything,
  shape: anything,
};
const BORROW: Checks<BorrowOptions> = {
  sync,
  bounds: oneOf('check', 'trust'),
  readOnly: flag,
};

/** Reads the options of a copy, those of the driver's backend too. Throws ERR_ARGUMENT. */
export function readCopyOptions<O extends CopyOptions>(given: O, driver: Driver): O {
  return readOptions(given, COPY, driver.ownOptions?.copy);
}

/** The same for a copy into JavaScript memory, which may name a dtype. */
export function readDownloadOptions<O extends CopyOptions>(given: O, driver: Driver): O {
  return readOptions(given, COPY, driver.ownOptions?.copy, { dtype: anything });
}

/** The same for a copy into new memory. */
export function readArrayOptions<O extends ArrayOptions>(given: O, driver: Driver): O {
  const { copy, empty } = driver.ownOptions ?? {};
  return readOptions(given, EMPTY, COPY, MORE, copy, empty);
}

/** The same for new memory. */
export function readEmptyOptions(given: EmptyOptions, driver: Driver): EmptyOptions {
  return readOptions(given, EMPTY, driver.ownOptions?.empty);
}

/** The same for borrowed memory. */
export function readBorrowOptions(given: BorrowOptions, driver: Driver): BorrowOptions {
  return readOptions(given, BORROW, driver.ownOptions?.borrow);
}

/** Picks the options of `copy` from those of `array`. */
export function copyOptionsOf(options: ArrayOptions, driver: Driver): CopyOptions {
  return only(options, Object.keys({ ...COPY, ...driver.ownOptions?.copy }));
}

/** Options of `copy` for another backend, which knows none of our queues. */
export function copyOptionsForOthers(options: CopyOptions): CopyOptions {
  return only(
    options,
    Object.keys(COPY).filter((name) => name !== 'queue'),
  );
}

function only(options: object, names: readonly string[]): object {
  const chosen: Record<string, unknown> = {};
  for (const name of names) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined) chosen[name] = value;
  }
  return chosen;
}
