import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectChecks } from './counted.js';

function read(name: string): string {
  return readFileSync(new URL(`../kernels/${name}`, import.meta.url), 'utf8');
}

test('the kernels, built as C++, copy what a naive loop copies', () => {
  expectChecks('kernels_test', 170_495);
});

const numbers = ['convert.h', 'number.h', 'shape.h', 'portable.h'];
const tiles = ['tile_copy.cl', ...numbers, 'special.h', 'tile_offsets.h', 'tile_read.h', 'turn.h'];
const kernels = {
  'strided_copy.ptx': ['strided_copy.cl', 'shape.h', 'portable.h'],
  'convert.ptx': ['convert.cl', ...numbers],
  'block_copy.ptx': ['block_copy.cl', ...numbers],
  'convert.spv': ['convert.cl', ...numbers],
  'convert_without_doubles.spv': ['convert.cl', ...numbers],
  'row_copy.spv': ['row_copy.cl', ...numbers, 'special.h'],
  'row_copy_without_doubles.spv': ['row_copy.cl', ...numbers, 'special.h'],
  'tile_copy.spv': tiles,
  'tile_copy_without_doubles.spv': tiles,
};
test.each(Object.entries(kernels))('%s was generated from the current sources', (name, sources) => {
  const hash = createHash('sha256')
    .update(sources.map((source) => read(`device/${source}`)).join(''))
    .digest('hex');
  const made = JSON.parse(read('generated/sources.json'));
  expect(made[name], 'run native/kernels/compile/generate.mjs').toEqual({
    sources,
    sha256: hash,
  });
});

test.each(['strided_copy', 'convert', 'block_copy'])(
  'PTX of %s runs on every GPU that the oldest driver supports',
  (name) => {
    const text = read(`generated/${name}.ptx`);
    const [, version] = /^\.version (\d+)\.\d+$/m.exec(text) ?? [];
    const [, target] = /^\.target sm_(\d+)$/m.exec(text) ?? [];
    expect(Number(target), 'Kepler').toBe(30);
    expect(Number(version), 'CUDA 11.2 reads up to 7.2').toBeLessThanOrEqual(7);
  },
);
