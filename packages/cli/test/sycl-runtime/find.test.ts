import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findLibraries } from '@array-interface/sycl';
import { type Outcome, provideSyclRuntime } from 'array-interface/sycl-runtime';
import { afterAll, expect, test } from 'vitest';

const directory = mkdtempSync(path.join(tmpdir(), 'find-'));
afterAll(() => rmSync(directory, { recursive: true }));

// The runtime of this checkout, which the backend finds from anywhere.
const [library = ''] = findLibraries({ env: process.env, folders: [import.meta.dirname] }, []);

/** Provides a runtime without being able to make one. */
const provide = (options: { target: string; from?: string; env?: object }): Promise<Outcome> => {
  const env = { ...process.env, ARRAY_INTERFACE_PYTHON: '/nowhere/python3', ...options.env };
  return provideSyclRuntime({ ...options, env, log: () => {} });
};
const refused = { state: 'failed', reason: '/nowhere/python3 cannot be run' };
const target = path.join(directory, 'none');

test('any runtime that is found from a folder is used', async () => {
  expect(await provide({ target, from: directory })).toEqual({ state: 'ready', library });
});

test('without such a folder, only the target is used', async () => {
  expect(await provide({ target })).toMatchObject(refused);
  const there = path.resolve(library, '../../../../..');
  expect(await provide({ target: there })).toEqual({ state: 'ready', library });
});

test('the library that the environment names is always used', async () => {
  const env = { ARRAY_INTERFACE_DPCTL_LIBRARY: library };
  expect(await provide({ target, env })).toEqual({ state: 'ready', library });
});

test('nothing is created if the addon cannot be loaded', async () => {
  const outcome = await provide({ target, env: { ARRAY_INTERFACE_ADDON_DIR: '/nowhere' } });
  expect(outcome).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('the sycl addon at /nowhere'),
  });
});
