import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { broadcasts } from '../input/shape.js';
import { CASTINGS, type Casting, castsTo } from '../numbers/casting.js';
import { overlapsItself } from '../overlap/overlaps-itself.js';

/**
 * Rejects a copy that cannot be exact, before anything is written. Throws ERR_READ_ONLY, ERR_MASK,
 * ERR_SHAPE_MISMATCH, ERR_CASTING, ERR_SELF_OVERLAP or ERR_TOO_HARD. `casting` must have been
 * checked.
 */
export function checkCopy(
  destination: ArrayDescriptor,
  source: ArrayDescriptor,
  casting: Casting = 'same_kind',
): void {
  if (destination.readOnly) {
    throw mismatch(
      'ERR_READ_ONLY',
      'destination',
      'a writable destination',
      'a read-only array',
      'copy into a new array instead',
    );
  }
  checkMask(destination, 'destination');
  checkMask(source, 'source');
  if (!broadcasts(source.shape, destination.shape)) {
    throw mismatch(
      'ERR_SHAPE_MISMATCH',
      'source',
      `a source that broadcasts to ${showList(destination.shape)}`,
      showList(source.shape),
      'slice or permute one of them first',
    );
  }
  checkCasts(destination.dtype, source.dtype, casting);
  if (overlapsItself(destination)) {
    throw mismatch(
      'ERR_SELF_OVERLAP',
      'destination',
      'elements that share no memory',
      `shape ${showList(destination.shape)} with byte strides ${showList(destination.byteStrides)}, where some do`,
      'copy into a new array instead',
    );
  }
}

/** Throws ERR_MASK if the array has a mask. */
export function checkMask(array: ArrayDescriptor, path: string): void {
  if (array.mask !== null) {
    throw mismatch(
      'ERR_MASK',
      path,
      'an array without a mask',
      `a masked ${path}`,
      'copy its data and mask separately',
    );
  }
}

/** Throws ERR_CASTING if the rule does not allow the conversion. */
export function checkCasts(to: DType, from: DType, casting: Casting, path = 'source'): void {
  if (castsTo(from, to, casting)) return;
  const rule = CASTINGS.find((wider) => castsTo(from, to, wider));
  throw mismatch(
    'ERR_CASTING',
    path,
    `${path === 'source' ? 'a source that casts' : 'elements that cast'} to ${to} under the rule '${casting}'`,
    String(from),
    rule === undefined
      ? 'no rule converts between them; view one as the other'
      : `copy with { casting: '${rule}' } if that is what you want`,
  );
}
