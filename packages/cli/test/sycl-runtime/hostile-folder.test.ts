import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { type Folder, test } from './folder.js';

/** A folder whose content must survive. */
function precious({ directory }: Folder): string {
  const precious = path.join(directory, 'precious');
  mkdirSync(precious);
  writeFileSync(path.join(precious, 'file'), 'kept');
  return precious;
}

const refusal = (what: string, why: string) => ({
  state: 'failed',
  reason: `expected ${what} to be a folder that this command made for you alone, got ${why}`,
  remedy: 'remove it and run this again',
});

describe('a hostile folder', () => {
  test('has a link where the runtime is created, and the link’s target is not changed', async ({
    folder,
  }) => {
    const env = folder.index();
    const kept = precious(folder);
    mkdirSync(folder.partial, { mode: 0o700 });
    symlinkSync(kept, path.join(folder.partial, '.sycl-runtime'));
    expect((await folder.provide(env)).state).toBe('ready');
    expect(readdirSync(kept)).toEqual(['file']);
  });

  test('has a link in place of the folder where it is created', async ({ folder }) => {
    const kept = precious(folder);
    symlinkSync(kept, folder.partial);
    expect(await folder.provide(folder.index())).toEqual(
      refusal(folder.partial, 'a symbolic link'),
    );
    expect(readdirSync(kept)).toEqual(['file']);
  });

  test('has a link in place of the fetched wheels', async ({ folder }) => {
    const kept = precious(folder);
    mkdirSync(folder.partial, { mode: 0o700 });
    symlinkSync(kept, path.join(folder.partial, 'wheels'));
    const wheels = path.join(folder.partial, 'wheels');
    expect(await folder.provide(folder.index())).toEqual(refusal(wheels, 'a symbolic link'));
    expect(readdirSync(kept)).toEqual(['file']);
  });

  test('has a link in place of the runtime', async ({ folder }) => {
    const env = folder.index();
    const kept = precious(folder);
    symlinkSync(path.join(folder.directory, 'nowhere'), folder.target);
    expect((await folder.provide(env)).state).toBe('ready');
    expect(readdirSync(kept)).toEqual(['file']);
  });

  test('has leftovers that others could have put there', async ({ folder }) => {
    mkdirSync(folder.partial);
    chmodSync(folder.partial, 0o775);
    expect(await folder.provide(folder.index())).toEqual(
      refusal(folder.partial, 'one that others may read or write'),
    );
  });

  test('is one that every user may write', async ({ folder }) => {
    chmodSync(folder.directory, 0o777);
    const outcome = await folder.provide(folder.index());
    expect(outcome).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(`${folder.directory} may be written by every user`),
    });
    expect(existsSync(folder.partial)).toBe(false);
  });

  test('has forged wheels from before, with other hashes', async ({ folder }) => {
    const env = folder.interrupted();
    folder.pins = folder.pins.map((pin) => ({ ...pin, sha256: ['0'.repeat(64)] }));
    expect(await folder.provide(env)).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/^the wheel of \S+ is not the one that was tested/),
      remedy: expect.stringContaining('.partial'),
    });
    expect(existsSync(folder.target)).toBe(false);
  });

  test('has wheels on its index with other hashes', async ({ folder }) => {
    const env = folder.index();
    folder.pins = folder.pins.map((pin) => ({ ...pin, sha256: ['0'.repeat(64)] }));
    expect((await folder.provide(env)).state).toBe('failed');
    expect(existsSync(folder.target)).toBe(false);
  });

  test.for(['index', 'interrupted'] as const)(
    'a hostile folder has wheels without hashes (%s)',
    async (origin, { folder }) => {
      const environment = folder[origin]();
      folder.pins = folder.pins.map((pin) => ({ ...pin, sha256: [] }));
      expect(await folder.provide(environment)).toMatchObject({
        state: 'failed',
        reason: expect.stringContaining('require-hashes'),
      });
      expect(existsSync(folder.target)).toBe(false);
    },
  );

  test("has modules named like Python's own, which are not run", async ({ folder }) => {
    const env = folder.index();
    const owned = path.join(folder.directory, 'owned');
    for (const name of ['venv', 'pip', 'ensurepip', 'json', 'sitecustomize']) {
      writeFileSync(
        path.join(folder.directory, `${name}.py`),
        `open(${JSON.stringify(owned)}, 'w')`,
      );
    }
    const before = process.cwd();
    process.chdir(folder.directory);
    try {
      expect((await folder.provide({ ...env, PYTHONPATH: folder.directory })).state).toBe('ready');
    } finally {
      process.chdir(before);
    }
    expect(existsSync(owned)).toBe(false);
  });
});

test('whatever the umask, only the user may write what is created', async ({ folder }) => {
  const env = folder.index();
  const before = process.umask(0o002);
  try {
    expect((await folder.provide(env)).state).toBe('ready');
  } finally {
    process.umask(before);
  }
  expect(statSync(path.dirname(folder.library)).mode & 0o002).toBe(0);
  expect(readdirSync(folder.directory).sort()).toEqual(['.sycl-runtime', 'index']);
});
