/** Returns a function of random whole numbers from 0 up to a limit, the same for the same seed. */
export function xorshift(seed) {
  let state = Number(seed) >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
}
