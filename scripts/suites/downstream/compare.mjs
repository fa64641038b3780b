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

/** How many tests came to each kind. */
export function countsOf(outcomes) {
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  for (const { kind } of outcomes.values()) ++counts[kind];
  return counts;
}

const isFault = ({ kind }) => kind !== 'passed' && kind !== 'skipped';

/** The tests that did not pass, by reason: `{ reason, tests }`, in order. */
export function faultsOf(outcomes, known = []) {
  const reasonOf = new Map(known.flatMap(({ reason, tests }) => tests.map((one) => [one, reason])));
  const groups = new Map();
  for (const [test, outcome] of [...outcomes].filter(([, one]) => isFault(one)).sort()) {
    const reason = reasonOf.get(test) ?? `${outcome.kind}: ${outcome.reason}`;
    groups.set(reason, [...(groups.get(reason) ?? []), test]);
  }
  return [...groups].map(([reason, tests]) => ({ reason, tests }));
}

/** In what outcomes differ from a record of earlier ones, in lines. */
export function differences(outcomes, record) {
  const listed = new Set(record.exceptions.flatMap(({ tests }) => tests));
  const faults = [...outcomes].filter(([, one]) => isFault(one));
  const names = new Set(faults.map(([name]) => name));
  const counts = countsOf(outcomes);
  return [
    ...faults
      .filter(([name]) => !listed.has(name))
      .map(([name, { kind, reason }]) => `new: ${name}: ${kind}: ${reason}`),
    ...[...listed].filter((name) => !names.has(name)).map((name) => `no longer: ${name}`),
    ...KINDS.filter((kind) => counts[kind] !== record.counts[kind]).map(
      (kind) => `${kind}: expected ${record.counts[kind]}, got ${counts[kind]}`,
    ),
  ];
}
