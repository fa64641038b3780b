/** What a test comes to; the worst of its parts counts. */
const KINDS = ['passed', 'skipped', 'failed', 'timedOut', 'crashed'];

/**
 * Reads the lines that the plugin of pytest wrote in one process, into `outcomes`: what each test came
 * to, and the reason, by name. `status` is that of the process, null if a signal ended it. Returns
 * whether anything is left to run: the process ended before the session did.
 */
export function addOutcomes(outcomes, lines, status) {
  let open = null;
  let isOver = false;
  const add = (test, kind, reason) => {
    const known = outcomes.get(test);
    if (known === undefined || KINDS.indexOf(kind) > KINDS.indexOf(known.kind))
      outcomes.set(test, { kind, reason });
  };
  for (const { begins, test, outcome, reason, ends } of lines) {
    if (begins !== undefined) {
      open = begins;
      add(begins, 'passed', '');
    }
    if (test !== undefined && KINDS.includes(outcome)) add(test, outcome, firstLine(reason));
    if (ends !== undefined) open = null;
    if (ends === null) isOver = true;
  }
  if (open !== null) {
    if (status === 1) add(open, 'timedOut', 'took longer than it may');
    else add(open, 'crashed', `the process ended with status ${status}`);
  }
  return !isOver;
}

/** The first line that says something, without what differs from run to run. */
function firstLine(reason) {
  const line = reason.split('\n').find((one) => one.trim() !== '' && !one.includes('Traceback'));
  return (line ?? '')
    .trim()
    .replaceAll(/0x[\da-f]+/g, '0x…')
    .slice(0, 200);
}

const fileOf = (test) => test.split('::')[0];
const isFault = ({ kind }) => kind !== 'passed' && kind !== 'skipped';

/** How many tests came to each kind, without zeros. */
export function countsOf(outcomes) {
  const kinds = [...outcomes.values()].map(({ kind }) => kind);
  const counts = KINDS.map((kind) => [kind, kinds.filter((one) => one === kind).length]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** The same for each file of tests. */
function countsByFile(outcomes) {
  const files = [...new Set([...outcomes.keys()].map(fileOf))].sort();
  const ofFile = (file) => new Map([...outcomes].filter(([test]) => fileOf(test) === file));
  return Object.fromEntries(files.map((file) => [file, countsOf(ofFile(file))]));
}

/**
 * The exceptions after a run: tests that did not pass, by the reason that the record has, or else by
 * what the test said. Those of files that did not run are kept.
 */
function exceptionsOf(outcomes, { files, exceptions }) {
  const ran = countsByFile(outcomes);
  const reasons = new Map(
    exceptions.flatMap(({ reason, tests }) => tests.map((one) => [one, reason])),
  );
  const kept = [...reasons].filter(([test]) => !(fileOf(test) in ran) && fileOf(test) in files);
  const found = [...outcomes]
    .filter(([, outcome]) => isFault(outcome))
    .map(([test, { kind, reason }]) => [test, reasons.get(test) ?? `${kind}: ${reason}`]);
  const groups = new Map();
  for (const [test, reason] of [...kept, ...found].sort())
    groups.set(reason, [...(groups.get(reason) ?? []), test]);
  return [...groups].map(([reason, tests]) => ({ reason, tests }));
}

/** The record after a run of some files or all: what they came to, and the exceptions. */
export function recordOf(outcomes, record) {
  const files = { ...record.files, ...countsByFile(outcomes) };
  const sorted = Object.fromEntries(Object.entries(files).sort());
  return { files: sorted, exceptions: exceptionsOf(outcomes, record) };
}

/** In what the outcomes of some files or all differ from a record, in lines. */
export function differences(outcomes, { files, exceptions }) {
  const ran = countsByFile(outcomes);
  const listed = exceptions.flatMap(({ tests }) => tests).filter((test) => fileOf(test) in ran);
  const faults = [...outcomes].filter(([, outcome]) => isFault(outcome));
  const isNamed = new Set(listed);
  const isFound = new Set(faults.map(([test]) => test));
  const text = (counts) => JSON.stringify(counts ?? 'no record');
  return [
    ...faults
      .filter(([test]) => !isNamed.has(test))
      .map(([test, { kind, reason }]) => `new: ${test}: ${kind}: ${reason}`),
    ...listed.filter((test) => !isFound.has(test)).map((test) => `no longer: ${test}`),
    ...Object.keys(ran)
      .filter((file) => text(ran[file]) !== text(files[file]))
      .map((file) => `${file}: expected ${text(files[file])}, got ${text(ran[file])}`),
  ];
}
