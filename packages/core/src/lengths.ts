import { badArgument, readEntries } from './argument.js';
import { assertRank } from './check-layout.js';

/** The argument `shape` of a view: lengths of `least` or more. Throws ERR_ARGUMENT, ERR_RANK_MISMATCH. */
export function readLengths(value: unknown, least: 0 | -1): number[] {
  const entries = readEntries(value, 'shape', 'a list of lengths', (count) =>
    assertRank(count, 'shape'),
  );
  for (const [axis, length] of entries.entries()) {
    if (Number.isSafeInteger(length) && (length as number) >= least) continue;
    throw badArgument(`shape[${axis}]`, `a length of ${least} or more`, length);
  }
  return entries as number[];
}
