/**
 * Settles as `Promise.all` does, but only once all have settled: what each of them holds is
 * released by then.
 */
export async function allEnded<T extends readonly unknown[]>(
  promises: {
    readonly [Index in keyof T]: Promise<T[Index]>;
  },
): Promise<T> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as unknown as T;
}
