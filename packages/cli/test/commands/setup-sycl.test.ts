import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sharedRuntime } from '@array-interface/sycl';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setupSycl } from '../../src/commands/setup-sycl.js';
import type { Outcome, ProvideOptions } from '../../src/sycl-runtime/provide.js';

const provide = vi.hoisted(() => vi.fn<(options: ProvideOptions) => Promise<Outcome>>());
vi.mock('../../src/sycl-runtime/provide.js', () => ({ provideSyclRuntime: provide }));
vi.mock('../../src/output/write-line.js', () => ({ writeLine: async () => {} }));

let project = '';
beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'setup-sycl-'));
  provide.mockReset().mockResolvedValue({ state: 'ready', library: 'x.so' });
});
afterEach(() => rmSync(project, { recursive: true }));

/** What is asked for in a folder. */
async function asked(
  folder: string,
  here?: true,
): Promise<Pick<ProvideOptions, 'target' | 'from'>> {
  expect(await setupSycl(folder, here ? { here } : {})).toBe(true);
  const [{ log: _, ...options }] = provide.mock.calls[0] as [ProvideOptions];
  return options;
}

describe('setup sycl', () => {
  test("puts one runtime for all projects into the user's cache if none is found", async () => {
    const target = sharedRuntime({ XDG_CACHE_HOME: process.env.XDG_CACHE_HOME });
    expect(await asked(project)).toEqual({ target, from: project });
  });

  test('--here puts one into the project, whatever is found elsewhere', async () => {
    const inner = path.join(project, 'a/b');
    mkdirSync(inner, { recursive: true });
    writeFileSync(path.join(project, 'package.json'), '{}');
    expect(await asked(inner, true)).toEqual({ target: path.join(project, '.sycl-runtime') });
  });

  test('--here means this folder if there is no package.json', async () => {
    expect(await asked(project, true)).toEqual({ target: path.join(project, '.sycl-runtime') });
  });

  test('says whether a runtime is installed', async () => {
    provide.mockResolvedValue({ state: 'failed', reason: 'r', remedy: 'r' });
    expect(await setupSycl(project, {})).toBe(false);
  });
});
