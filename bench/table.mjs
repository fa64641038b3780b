const time = (nanoseconds) =>
  nanoseconds < 1e3
    ? `${nanoseconds.toFixed(0)} ns`
    : nanoseconds < 1e6
      ? `${(nanoseconds / 1e3).toFixed(2)} µs`
      : `${(nanoseconds / 1e6).toFixed(2)} ms`;

/** Rows {name, nanoseconds, ratio?, bytes?, …} as lines of text; units as people read them. */
export function table(rows) {
  const cells = rows.map(({ name, nanoseconds, ratio, bytes }) => [
    name,
    time(nanoseconds),
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    bytes === undefined ? '' : `${bytes} B`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    );
  return cells.map((row) => `  ${line(row).join('  ')}`).join('\n');
}
