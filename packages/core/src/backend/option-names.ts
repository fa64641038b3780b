import { checkOptions } from '../input/argument.js';
import type { Driver } from './driver.js';
import type { ArrayOptions, BorrowOptions, CopyOptions, EmptyOptions } from './options.js';

// The types ensure that these lists are complete.
const COPY = namesOf<CopyOptions>({
  signal: true,
  queue: true,
  casting: true,
  onProgress: true,
  chunkBytes: true,
});
const EMPTY = namesOf<EmptyOptions>({
  queue: true,
  device: true,
  byteStrides: true,
  memoryKind: true,
});
const MORE = namesOf<Omit<ArrayOptions, keyof EmptyOptions | keyof CopyOptions>>({
  dtype: true,
  shape: true,
});
const BORROW = namesOf<BorrowOptions>({ sync: true, bounds: true, readOnly: true });

/** Throws ERR_ARGUMENT for an option of a copy that neither core nor the backend knows. */
export function checkCopyOptions(options: object, driver: Driver): void {
  checkOptions(options, COPY, driver.ownOptions?.copy);
}

/** The same for a copy into JavaScript memory, which may name a dtype. */
export function checkReadOptions(options: object, driver: Driver): void {
  checkOptions(options, COPY, driver.ownOptions?.copy, ['dtype']);
}

/** The same for new memory. */
export function checkEmptyOptions(options: object, driver: Driver): void {
  checkOptions(options, EMPTY, driver.ownOptions?.empty);
}

/** The same for a copy into new memory. */
export function checkArrayOptions(options: object, driver: Driver): void {
  const { copy, empty } = driver.ownOptions ?? {};
  checkOptions(options, EMPTY, COPY, MORE, copy, empty);
}

/** The same for borrowed memory. */
export function checkBorrowOptions(options: object, driver: Driver): void {
  checkOptions(options, BORROW, driver.ownOptions?.borrow);
}

/** Picks the options of `copy` from those of `array`. */
export function copyOptionsOf(options: ArrayOptions, driver: Driver): CopyOptions {
  return only(options, [...COPY, ...(driver.ownOptions?.copy ?? [])]);
}

/** Options of `copy` for another backend, which knows none of our queues. */
export function copyOptionsForOthers(options: CopyOptions): CopyOptions {
  return only(
    options,
    COPY.filter((name) => name !== 'queue'),
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

function namesOf<Options>(names: Readonly<Record<keyof Options, true>>): readonly string[] {
  return Object.keys(names);
}
