/** How many random cases are tried, and the seed that repeats them, for `fc.assert`. */
export interface RandomCases {
  readonly numRuns: number;
  readonly seed: number;
}

/**
 * `usual` cases times the environment variable ARRAY_INTERFACE_RUNS, a positive number. Throws for any
 * other value. FAST_CHECK_SEED repeats a run. As in the other tests of the repository, whose package
 * is not published.
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
