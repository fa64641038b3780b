/** Times of one copy: within the job, repeated when all is warm, and of a memcpy of as much. */
export interface Timing {
  readonly what: string;
  readonly megabytes: number;
  readonly first: number;
  readonly again: number;
  readonly memcpy: number;
}

const ROUNDS = 7;

/** Milliseconds that `work` takes from its call until it has settled. */
export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

/** Repeats a copy of `nbytes` and a memcpy of as many bytes in turn, and takes the medians. */
export async function compare(
  what: string,
  nbytes: number,
  first: number,
  copy: () => Promise<unknown>,
): Promise<Timing> {
  const from = Buffer.alloc(nbytes, 1);
  const to = Buffer.alloc(nbytes, 2);
  const copies: number[] = [];
  const memcpys: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    copies.push((await timed(copy)).ms);
    memcpys.push((await timed(async () => from.copy(to))).ms);
  }
  return { what, megabytes: nbytes / 1e6, first, again: median(copies), memcpy: median(memcpys) };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] as number;
}
