/** Returns how long `work` takes, in nanoseconds, including what it waits for. */
export async function nanoseconds(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start);
}

/** Returns the nanoseconds of one of many calls that follow one another, and of the `end` of all. */
export async function perCall(count, act, end = () => {}) {
  const spent = await nanoseconds(async () => {
    for (let call = 0; call < count; call++) act();
    await end();
  });
  return spent / count;
}

/** Does the same for calls of which each is awaited before the next. */
export async function perAwaitedCall(count, act, end = () => {}) {
  const spent = await nanoseconds(async () => {
    for (let call = 0; call < count; call++) await act();
    await end();
  });
  return spent / count;
}
