/** Most items of a group along each axis, the fastest first, as CUDA's blocks have them. */
const MOST = [1024, 1024, 64];

/**
 * A group of at most `items` for a range: as long as useful along the fastest axis, then along the
 * next. Powers of two, in the order of the range's axes.
 */
export function groupFor(range: readonly number[], items: number): number[] {
  const group = range.map(() => 1);
  let left = 2 ** Math.floor(Math.log2(items));
  for (let axis = range.length - 1; axis >= 0; axis--) {
    const most = Math.min(range[axis] as number, MOST[range.length - 1 - axis] as number);
    while (left > 1 && (group[axis] as number) < most) {
      group[axis] = (group[axis] as number) * 2;
      left /= 2;
    }
  }
  return group;
}
