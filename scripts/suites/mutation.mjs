import { readFileSync } from 'node:fs';
import path from 'node:path';
import { environment, root, run } from '../run.mjs';
import { setup } from '../setup/setup.mjs';

// npm run test:mutation [-- ARGUMENTS OF STRYKER]: changes core's readers and writers in some
// thousand ways, and reports which changes no test detected. Takes half an hour; see
// testing/mutation/README.md for the score.
await setup();
const folder = path.join(root, 'testing', 'mutation');
const stryker = path.join(folder, 'node_modules', '.bin', 'stryker');
const config = path.join(folder, 'stryker.config.mjs');
const status = await run(stryker, ['run', config, ...process.argv.slice(2)], {
  cwd: path.join(root, 'packages', 'core'),
  // Another seed could try other cases, and detect other changes.
  env: { ...environment(), FAST_CHECK_SEED: '1' },
});

/**
 * Changes whose run ended without a result. Stryker counts them neither as detected nor as
 * survivors.
 */
function withoutResult() {
  const report = JSON.parse(readFileSync(path.join(root, '.mutation', 'report.json'), 'utf8'));
  const changes = Object.values(report.files).flatMap(({ mutants }) => mutants);
  return changes.filter(({ status }) => status === 'RuntimeError' || status === 'CompileError');
}

const unknown = status === 0 ? withoutResult() : [];
if (unknown.length > 0) {
  console.error(`expected a result for each change, got none for ${unknown.length}; the first:`);
  console.error(unknown[0].statusReason);
}
process.exitCode = unknown.length > 0 ? 1 : status;
