/** The index in 0 .. length - 1 of the element at `at`, for an image that is mirrored at its edges. */
export function reflected(at: number, length: number): number {
  let seen = at;
  while (seen < 0 || seen >= length) seen = seen < 0 ? -1 - seen : 2 * length - 1 - seen;
  return seen;
}
