/** Ends this process with status 2, and a message, unless all names are known. */
export function demandKnown(names, known, what) {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  console.error(`expected ${what} (${known.join(', ')}), got ${unknown.join(', ')}`);
  process.exit(2);
}
