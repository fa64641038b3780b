/** Returns how long `work` takes, in nanoseconds, including what it waits for. */
export async function nanoseconds(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start);
}
