/** What random tests start from; the environment variable FAST_CHECK_SEED repeats a run. */
export function randomSeed(): number {
  const given = Number(process.env.FAST_CHECK_SEED);
  return Number.isInteger(given) && given !== 0 ? given : Date.now() & 0x7fffffff;
}
