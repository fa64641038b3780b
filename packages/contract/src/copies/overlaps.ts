import { describe, test } from 'vitest';
import { Block, type Layout, placeOf } from '../support/block.js';
import { exported } from '../support/exported.js';
import { referenceCopy } from '../support/reference.js';
import type { Subject } from '../support/subject.js';
import { layoutOf, type Short } from './copy-cases.js';

const CASES: readonly [string, Short, Short][] = [
  ['forwards', [8, [400], [4]], [0, [400], [4]]],
  ['backwards', [0, [400], [4]], [8, [400], [4]]],
  ['by less than an element', [2, [400], [4]], [0, [400], [4]]],
  ['reversed in place', [0, [400], [4]], [1596, [400], [-4]]],
  ['transposed in place', [0, [20, 20], [80, 4]], [0, [20, 20], [4, 80]]],
  ['interleaved', [0, [200], [8]], [4, [200], [8]]],
  ['one row to all rows', [0, [10, 10], [40, 4]], [120, [10], [4]]],
  ['onto itself', [0, [400], [4]], [0, [400], [4]]],
];

/** A source and destination that share bytes are copied as if the source had been copied first. */
export function overlaps({ backend }: Subject): void {
  describe('overlapping copies', () => {
    test.each(CASES)('%s', async (_, ...sides) => {
      using block = await Block.make(backend, 1608, 3);
      const [to, from] = sides.map((one) => layoutOf(one, 'float32')) as [Layout, Layout];
      const before = block.expected.slice();
      await backend.copy(block.at(to), block.at(from));
      referenceCopy(block.expected, placeOf(to), before, placeOf(from));
      await block.verify();
    });

    test('also if each side was borrowed separately', async () => {
      using block = await Block.make(backend, 64, 4);
      const { producer } = exported(block.array);
      using one = backend.asArray(producer());
      using other = backend.asArray(producer());
      await backend.copy(one.slice([[1, null]]), other.slice([[0, -1]]));
      block.expected.copyWithin(1, 0, 63);
      await block.verify();
    });
  });
}
