import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { libraryFolder, libraryPath } from '../src/index.js';

describe('index', () => {
  it('names a folder with the library under both names', () => {
    expect(libraryPath).toBe(join(libraryFolder, 'libcuda.so.1'));
    expect(realpathSync(join(libraryFolder, 'libcuda.so'))).toBe(realpathSync(libraryPath));
    expect(
      readdirSync(libraryFolder)
        .filter((name) => /\.so/.test(name))
        .sort(),
    ).toEqual(['libcuda.so', 'libcuda.so.1']);
  });

  it('can be loaded by Node, on the main thread and in workers', async () => {
    // process.dlopen loads the library with all symbols resolved, then finds that it is no addon.
    const load = `
      const { constants } = require('node:os');
      try {
        process.dlopen({ exports: {} }, ${JSON.stringify(libraryPath)}, constants.dlopen.RTLD_NOW);
      } catch (error) {
        require('node:worker_threads').parentPort.postMessage(error.message);
      }`;
    for (let round = 0; round < 2; round += 1) {
      const worker = new Worker(load, { eval: true });
      const message = await new Promise((resolve) => worker.once('message', resolve));
      expect(message).toContain('did not self-register');
      await worker.terminate();
    }
  });
});
