/** FAST_CHECK_SEED, or a new one for each run. */
export const seed = Number(process.env.FAST_CHECK_SEED) || Date.now() & 0x7fffffff;

/** Returns a function of random integers from `low` to `high`, both included, the same for the same seed. */
export function randomIntegers(seed) {
  let state = seed >>> 0;
  return (low, high) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return low + (((mixed ^ (mixed >>> 14)) >>> 0) % (high - low + 1));
  };
}
