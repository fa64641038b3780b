import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EnvironmentPlan, makeEnvironment } from '../../src/sycl-runtime/environment.js';
import { findPython } from '../../src/sycl-runtime/python.js';
import { fakeIndex, fakePins } from './fake-index.js';

// Making a virtual environment takes seconds, and more on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

let directory = '';
let target = '';
let wheels = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'environment-'));
  target = path.join(directory, 'environment');
  wheels = path.join(directory, 'index');
  mkdirSync(target);
  writeFileSync(path.join(target, 'from-before'), '');
  mkdirSync(wheels);
});
afterEach(() => rmSync(directory, { recursive: true }));

/** To be made in place of one that is there, of the smallest package alone. */
function plan(): EnvironmentPlan {
  const env = fakeIndex(wheels);
  const wanted = fakePins(wheels).filter(({ name }) => name === 'umf');
  const partial = path.join(directory, 'partial');
  const python = findPython(process.env);
  return { python, target, partial, wanted, bytesNeeded: 1, log: () => {}, env };
}

const forged = (asked: EnvironmentPlan): EnvironmentPlan => ({
  ...asked,
  wanted: asked.wanted.map((pin) => ({ ...pin, sha256: ['0'.repeat(64)] })),
});

/** The wheels as an attempt before has left them. */
function fetched(asked: EnvironmentPlan): EnvironmentPlan {
  const kept = path.join(asked.partial, 'wheels');
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  fakeIndex(kept);
  return asked;
}

describe('an existing environment', () => {
  test.each<[string, (asked: EnvironmentPlan) => EnvironmentPlan]>([
    ['there is no room', (asked) => ({ ...asked, bytesNeeded: Number.MAX_VALUE })],
    [
      'no environment can be made',
      (asked) => ({ ...asked, python: { ...asked.python, command: 'no-such-python' } }),
    ],
    ['a package cannot be fetched', forged],
    ['a package cannot be installed', (asked) => fetched(forged(asked))],
  ])('stays if %s', async (_, spoil) => {
    await expect(makeEnvironment(spoil(plan()))).rejects.toThrow();
    expect(existsSync(target), 'whether it is still there').toBe(true);
    expect(readdirSync(target)).toEqual(['from-before']);
  });

  test('is replaced by a complete one', async () => {
    const asked = plan();
    await makeEnvironment(asked);
    expect(readdirSync(target)).toContain('bin');
    expect(readdirSync(target)).not.toContain('from-before');
    expect(readdirSync(asked.partial)).toEqual([]);
  });
});
