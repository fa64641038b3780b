/**
 * How much a count grows in the best of some rounds. What a round loses is lost in each of them, while
 * pools of Python's own grow now and then.
 */
export async function leastGrowth(
  count: () => number | Promise<number>,
  round: () => unknown,
): Promise<number> {
  await round(); // caches fill
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 4; i++) {
    const before = await count();
    await round();
    least = Math.min(least, (await count()) - before);
  }
  return least;
}

/** Runs a function so many times. */
export function repeat(times: number, use: () => unknown): void {
  for (let i = 0; i < times; i++) use();
}
