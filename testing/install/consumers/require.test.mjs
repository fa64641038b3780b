import path from 'node:path';
import { expect, it } from 'vitest';
import { homeOf, isHere, VERSIONS } from '../../../scripts/setup/node-versions.mjs';
import { project, withAddon } from './installed.mjs';
import { runProgram } from './run-program.mjs';

// The oldest that has require() of modules, which is the oldest that is supported.
const [, ...newer] = VERSIONS;
const versions = ['20.19.0', ...newer];

if (!isHere) console.error('not run: npm has no versions of Node for this system');

it.runIf(isHere).each(versions)('CommonJS requires core and host on Node %s', async (version) => {
  const node = path.join(await homeOf(version), 'node');
  const ended = await runProgram(node, ['programs/required.cjs'], {
    cwd: project,
    env: withAddon('host'),
  });
  expect(ended).toEqual({ status: 0, stdout: '-24 4 3 2 1\n', stderr: '' });
});
