import path from 'node:path';
import { buildAddon, buildPrograms } from './build.mjs';
import { program, tests } from './check.mjs';

const gate = 'testing/gate';

/** How each mistake must be reported: a text of the report, and the file that it names. */
const EXPECTED = {
  overflow: [/heap-buffer-overflow/, /planted\.hpp/],
  undefined: [/signed integer overflow/, /planted\.hpp/],
  leak: [/5000 byte\(s\) leaked/, /native\/planted\.cpp/],
  race: [/data race/, /race \S*planted\.hpp/],
};

/** Throws unless a planted mistake was reported and made its run fail. */
function demand(mistake, how, { failed, report }) {
  const unseen = EXPECTED[mistake].filter((pattern) => !pattern.test(report));
  if (failed > 0 && unseen.length === 0) {
    console.log(`planted ${mistake} (${how}): reported`);
    return;
  }
  throw new Error(
    `the planted ${mistake} (${how}) was not reported: ${failed} failed, no ${unseen.join(', ')} in ` +
      `the report:\n${report || '(empty)'}\nso the sanitizers prove nothing here`,
  );
}

const MISTAKES = { addresses: ['overflow', 'undefined', 'leak'], threads: ['race'] };

/** Runs the mistakes in an addon, as the tests of an addon run. */
export async function plantedInAddon(kind) {
  const built = await buildAddon(gate, kind, 'planted');
  for (const mistake of MISTAKES[kind]) {
    const outcome = await tests(gate, kind, built, { only: mistake, quiet: true });
    demand(mistake, 'addon', outcome);
  }
}

/** Runs the mistakes in a program, as the C++ tests run. */
export async function plantedInProgram(kind) {
  const built = await buildPrograms(`${gate}/program`, kind, 'planted');
  // The program has no leak: LeakSanitizer is part of the other sanitizer, and tested in the addon.
  for (const mistake of MISTAKES[kind].filter((one) => one !== 'leak')) {
    demand(mistake, 'program', await program(path.join(built, 'planted'), [mistake]));
  }
}
