/** How many random cases are tried, and the seed that repeats them, for `fc.assert`. */
export interface RandomCases {
  readonly numRuns: number;
  readonly seed: number;
}

/**
 * `usual` cases times the environment variable ARRAY_INTERFACE_RUNS. Throws if that is not a
 * positive number. FAST_CHECK_SEED repeats a run. The repository's other tests have the same
 * function in a package that is not published.
 */
export function random(usual = 100): RandomCases {
  const factor = Number(process.env.ARRAY_INTERFACE_RUNS || 1);
  if (!(factor > 0 && Number.isFinite(factor))) {
    const got = process.env.ARRAY_INTERFACE_RUNS;
    throw new Error(`expected ARRAY_INTERFACE_RUNS to be a positive number, got '${got}'`);
  }
  const given = Number(process.env.FAST_CHECK_SEED);
  const seed = Number.isInteger(given) && given !== 0 ? given : Date.now() & 0x7fffffff;
  return { numRuns: Math.max(1, Math.round(usual * factor)), seed };
}
