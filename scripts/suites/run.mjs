import path from 'node:path';
import { demandKnown } from '../arguments.mjs';
import { environment, root, run } from '../run.mjs';
import { DEFAULTS, SUITES } from './suites.mjs';

// npm run test:NAME [-- ARGUMENTS OF VITEST]: runs a suite of suites.mjs, which documents each.
const [name, ...args] = process.argv.slice(2);

async function suite({ folder, missing, isOptional, steps, notes, ...given }) {
  const lacks = missing();
  if (lacks.length > 0) {
    console.error(lacks.join('\n'));
    return isOptional && process.env.ARRAY_INTERFACE_ALLOW_MISSING === '1' ? 0 : 1;
  }
  for (const step of steps) {
    const status = (await step()) ?? 0;
    if (status !== 0) return status;
  }
  for (const line of notes()) console.log(line);
  return run('vitest', ['run', ...given.arguments, ...args], {
    cwd: path.join(root, folder),
    env: { ...environment(), ...(await given.environment()) },
  });
}

demandKnown([name], Object.keys(SUITES), 'the name of a suite');
process.exitCode = await suite({ ...DEFAULTS, ...SUITES[name] });
