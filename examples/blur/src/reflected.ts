/** The index in 0 .. length - 1 that is seen at `at`, where an image goes on as in mirrors at its edges. */
export function reflected(at: number, length: number): number {
  let seen = at;
  while (seen < 0 || seen >= length) seen = seen < 0 ? -1 - seen : 2 * length - 1 - seen;
  return seen;
}
