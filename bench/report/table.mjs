/** Formats nanoseconds in a readable unit. */
export function duration(nanoseconds) {
  if (nanoseconds < 1e3) return `${nanoseconds.toFixed(0)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(2)} µs`;
  return `${(nanoseconds / 1e6).toFixed(2)} ms`;
}

/** The measured value of a target, in the target's own unit. */
function figureText({ figure, against, least }) {
  if (figure === null) return '';
  if (against === undefined) return duration(figure);
  return least < 1 ? figure.toFixed(2) : `${figure.toFixed(2)} ×`;
}

/** Whether a target was reached, in one word. */
function reachedText({ reached }) {
  if (reached === null) return 'not measured';
  return reached ? 'yes' : 'no';
}

/** The medians of a result as a table of cells; the first row is the header. */
function medianCells({ rows, plot }) {
  const hasBytes = rows.some(({ bytes }) => bytes !== undefined);
  const hasSpeed = rows.some(({ speed }) => speed !== undefined);
  const cells = ({ work, who, nanoseconds, speed, bytes }) => [
    work,
    who,
    duration(nanoseconds),
    ...(hasSpeed ? [speed === undefined ? '' : speed.toFixed(2)] : []),
    ...(hasBytes ? [bytes === undefined ? '' : `${bytes} B`] : []),
  ];
  const speed = plot.field === 'speed' ? plot.title.replace(/ \(.*\)$/, '') : 'speed';
  const head = ['', 'who', 'median', ...(hasSpeed ? [speed] : []), ...(hasBytes ? ['bytes'] : [])];
  return [head, ...rows.map(cells)];
}

/** The targets of a result as a table of cells; the first row is the header. */
export function targetCells({ targets }) {
  const head = ['', 'target', 'measured', 'reached'];
  const cells = (one) => [one.work, one.target, figureText(one), reachedText(one)];
  return [head, ...targets.map(cells)];
}

/** A result as lines of text, for the terminal. */
export function table(result) {
  const tables = [medianCells(result), targetCells(result)].filter(({ length }) => length > 1);
  return [...tables.map(aligned), ...result.notRun.map((line) => `  not run: ${line}`)].join(
    '\n\n',
  );
}

function aligned(cells) {
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  ');
  return cells.map((row) => `  ${line(row).trimEnd()}`).join('\n');
}

/** Formats cells as a Markdown table. */
export function markdown([head, ...rows]) {
  const line = (row) => `| ${row.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
