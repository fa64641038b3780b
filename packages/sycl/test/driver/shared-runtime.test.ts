import { homedir } from 'node:os';
import { sharedRuntime } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { runProgram } from '../support/program.js';

const NAME = /^\/(.+)\/array-interface\/sycl-runtime-[0-9a-f]{12}$/;

test.each([
  ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/cache', HOME: '/home/one' }, 'cache'],
  ['the home folder', { HOME: '/home/one' }, 'home/one/.cache'],
  ['not a relative XDG_CACHE_HOME', { XDG_CACHE_HOME: 'x', HOME: '/home/one' }, 'home/one/.cache'],
  ['the home folder that the system knows', {}, `${homedir().slice(1)}/.cache`],
])('is in %s', (_, env, folder) => {
  expect(NAME.exec(sharedRuntime(env) ?? '')?.[1]).toBe(folder);
});

test('there is none below a relative home folder', () => {
  expect(sharedRuntime({ HOME: 'home' })).toBeNull();
});

test('there is none for a user without a home folder', async () => {
  const program = `import os from 'node:os';
    import { syncBuiltinESMExports } from 'node:module';
    os.homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); };
    syncBuiltinESMExports();
    const { sharedRuntime } = await import('@array-interface/sycl');
    console.log(sharedRuntime({}));`;
  expect((await runProgram(program)).stdout).toBe('null');
});
