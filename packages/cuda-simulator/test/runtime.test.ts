import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { libraryFolder } from '../src/index.js';

const probe = fileURLToPath(new URL('runtime/probe.py', import.meta.url));
const libraryOf = (major: number) => `${libraryFolder}/runtime/libcudart.so.${major}`;
const bytes = (...values: number[]) => Buffer.from(values).toString('hex');

describe.each([12, 13])('the runtime library of CUDA %i', (major) => {
  it('does through the documented functions what the driver does', () => {
    const { stdout, stderr } = spawnSync('python3', [probe, libraryOf(major)], {
      encoding: 'utf8',
      env: { ...process.env, LD_LIBRARY_PATH: libraryFolder, PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(stderr.split('\n')).toEqual([
      "cuda-simulator: kernel 'other' and others of its file are machine code, which does not run here",
      'cuda-simulator: cudaCreateTextureObject is not implemented: cudaErrorNotSupported',
      '',
    ]);
    expect(JSON.parse(stdout)).toEqual({
      version: major === 12 ? 12080 : 13000,
      device: 0,
      properties: {
        warpSize: 32,
        major: 9,
        multiProcessorCount: 32,
        asyncEngineCount: 2,
        ipcEventSupported: 1,
      },
      set: 101,
      errors: [101, 0, 101, 0],
      names: ['cudaErrorInvalidDevice', 'cudaErrorInvalidDeviceFunction'],
      text: 'out of memory',
      devices: [1, 0],
      copied: bytes(0, 1, 2, 3, 4, 5, 6, 7),
      kinds: [1, 21, 0],
      rows: bytes(0, 1, 0, 0, 8, 9, 0, 0, 16, 17, 0, 0),
      box: bytes(21, 22, 25, 26, 37, 38, 41, 42),
      types: [0, 1, 2, 3],
      unwaited: bytes(0, 0, 0, 0, 0, 0, 0, 0),
      waited: bytes(5, 5, 5, 5, 5, 5, 5, 5),
      'own stream': [0, 600],
      graph: [bytes(6, 6, 6, 6, 6, 6, 6, 6), bytes(9, 9, 9, 9, 9, 9, 9, 9)],
      kernel: major === 12 ? bytes(15, 0, 0, 0, 15, 0, 0, 0) : bytes(20, 0, 0, 0, 20, 0, 0, 0),
      'unknown kernel': 98,
      'machine code': 98,
      refused: [801, 801],
      'after a reset': [
        Buffer.from('12345678').toString('hex'),
        bytes(10, 0, 0, 0, 10, 0, 0, 0),
        bytes(10, 0, 0, 0),
        4,
      ],
    });
  });

  it('exports its functions under the version that programs ask for, and nothing else', () => {
    const listed = execFileSync(
      'nm',
      ['-D', '--defined-only', '--with-symbol-versions', libraryOf(major)],
      {
        encoding: 'utf8',
      },
    );
    const names = [...listed.matchAll(/ [A-Z] (\S+)$/gm)].map(([, name = '']) => name);
    const version = `libcudart.so.${major}`;
    const strange = names.filter(
      (name) =>
        name !== version && !new RegExp(`^(cuda|__cuda|simcudart_)\\w+@@${version}$`).test(name),
    );
    expect(strange).toEqual([]);
    expect(names.length).toBeGreaterThan(360);
  });
});
