import { expect, test } from 'vitest';
import { torchHas } from '../layouts/layouts.mjs';
import { randomLayouts } from '../layouts/random.mjs';

const side = (type, byteStrides) => ({ type, shape: [2, 2], byteStrides, offset: 0 });
const plain = side('<f4', [8, 4]);

test('a layout that PyTorch cannot describe is recognised on either side', () => {
  expect(torchHas([plain, side('|b1', [0, 1])])).toBe(true);
  for (const other of [side('<u2', [4, 2]), side('>f4', [8, 4]), side('<f4', [-8, 4])]) {
    expect(torchHas([plain, other])).toBe(false);
    expect(torchHas([other, plain])).toBe(false);
  }
});

test('PyTorch can describe about half of the random layouts', () => {
  const share = randomLayouts(1, 200).filter(torchHas).length / 200;
  expect(share).toBeGreaterThan(0.35);
  expect(share).toBeLessThan(0.65);
});
