import { replace } from '../../descriptor/descriptor.js';
import type { DType } from '../../dtype/dtype.js';
import type { Driver } from '../interface/driver.js';
import type { EmptyOptions } from '../interface/options.js';
import type { Patience } from './deadline.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import type { Side } from './side.js';

/** A new dense array for steps of a copy. The caller ends its memory. Throws ERR_OUT_OF_MEMORY. */
export function temporary(
  driver: Driver,
  place: EmptyOptions,
  shape: readonly number[],
  dtype: DType,
  patience: Patience,
): Side {
  const layout = relativeLayout(shape, dtype);
  const memory = driver.allocate(Math.max(1, layout.nbytes), place, patience.left);
  return { memory, array: replace(layout, { pointer: memory.pointer, owner: memory }) };
}
