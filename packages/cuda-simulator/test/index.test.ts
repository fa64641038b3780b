import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { libraryFolder, libraryPath } from '../src/index.js';

describe('index', () => {
  it('names a folder with the library under both names', () => {
    expect(libraryPath).toBe(join(libraryFolder, 'libcuda.so.1'));
    expect(
      readdirSync(libraryFolder)
        .filter((name) => /\.so/.test(name))
        .sort(),
    ).toEqual(['libcuda.so', 'libcuda.so.1']);
  });

  it('is one driver under both names, in whichever order they are loaded', () => {
    const script = [
      'import ctypes, sys',
      'first, second = (ctypes.CDLL(name) for name in sys.argv[1:])',
      'address = lambda library: ctypes.cast(library.cuInit, ctypes.c_void_p).value',
      'print(address(first) == address(second))',
    ].join('\n');
    const names = ['libcuda.so', 'libcuda.so.1'];
    for (const order of [names, names.toReversed()]) {
      const answer = execFileSync('python3', ['-c', script, ...order], {
        encoding: 'utf8',
        env: { ...process.env, LD_LIBRARY_PATH: libraryFolder },
      });
      expect(answer).toBe('True\n');
    }
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
