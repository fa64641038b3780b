export { type Chain, type Comparison, replay } from './view-chains.js';

/**
 * Returns how many cases a property test tries, if `usual` are tried in an ordinary run: `usual`
 * times the environment variable ARRAY_INTERFACE_RUNS, a positive number. Throws for any other
 * value.
 */
export function runs(usual = 100): number {
  const factor = Number(process.env.ARRAY_INTERFACE_RUNS || 1);
  if (!(factor > 0 && Number.isFinite(factor))) {
    throw new Error(
      `expected ARRAY_INTERFACE_RUNS to be a positive number, got '${process.env.ARRAY_INTERFACE_RUNS}'`,
    );
  }
  return Math.max(1, Math.round(usual * factor));
}

/** Returns the seed of random tests. The environment variable FAST_CHECK_SEED repeats a run. */
export function randomSeed(): number {
  const given = Number(process.env.FAST_CHECK_SEED);
  return Number.isInteger(given) && given !== 0 ? given : Date.now() & 0x7fffffff;
}

/** Returns the number of runs and the seed, for `fc.assert`. */
export function random(usual = 100): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: runs(usual), seed: randomSeed() };
}

/**
 * Returns all items in an ordinary run. If ARRAY_INTERFACE_RUNS is below 1, returns that part of
 * them, in their order, and others for another seed.
 */
export function sample<T>(items: readonly T[], seed: number): readonly T[] {
  const count = Math.min(runs(items.length), items.length);
  const at = (i: number) => (seed + Math.floor((i * items.length) / count)) % items.length;
  const chosen = new Set(Array.from({ length: count }, (_, i) => at(i)));
  return items.filter((_, index) => chosen.has(index));
}
