/** Calls `act` for each item, a few at once. Returns the results in order. */
export async function atOnce(most, items, act) {
  const results = [];
  const waiting = [...items].entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
