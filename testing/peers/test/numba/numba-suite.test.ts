import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { pythonOf, simulator } from '../support/python.js';
import { type NumbaSuite, numbaSuites } from './numba-expected.js';

const runner = fileURLToPath(new URL('../../python/kernels/unittest_outcomes.py', import.meta.url));

/** The outcome of each test of a suite, which runs in a process of its own. */
async function outcomesOf({ modules, without = {} }: NumbaSuite): Promise<Record<string, string>> {
  const [node, command] = simulator;
  const names = [...modules, '--without', ...Object.keys(without)];
  const { stdout } = await promisify(execFile)(
    node,
    [command, pythonOf('cuda'), runner, ...names],
    {
      maxBuffer: 2 ** 26,
      env: {
        ...process.env,
        CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING: '1',
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  );
  return JSON.parse(stdout);
}

describe("Numba's own tests, on the lazy schedule", () => {
  test.each(numbaSuites)(
    '$name: $tests tests, each as the list says',
    async (suite) => {
      const outcomes = Object.entries(await outcomesOf(suite));
      const others = outcomes.filter(([, outcome]) => outcome !== 'pass');
      const expected = Object.entries(suite.others);
      const asListed = ([id, outcome]: [string, string]) =>
        expected.some(([name, one]) => id.endsWith(`.${name}`) && outcome.startsWith(one.outcome));
      expect(others.filter((one) => !asListed(one))).toEqual([]);
      expect(others).toHaveLength(expected.length);
      expect(outcomes).toHaveLength(suite.tests);
    },
    600_000,
  );
});
