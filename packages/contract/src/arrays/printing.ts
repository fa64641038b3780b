import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Subject } from '../support/subject.js';

/** How an array appears in a log. */
export function printing({ backend }: Subject): void {
  describe('printing', () => {
    test('shows dtype, shape, address and memory, and then that it is disposed', async () => {
      const array = await backend.array([[1, 2, 3]], { dtype: 'float32' });
      const view = array.permuteDims([1, 0]);
      const { name } = array.constructor;
      const place = `at 0x${array.pointer.toString(16)}, 12 bytes, `;
      const memory = `${array.memory.memoryKind} memory of ${backend.name}`;
      expect(String(array)).toBe(`${name}(<f4 [1, 3] ${place}C-contiguous, ${memory})`);
      expect(inspect(array)).toBe(String(array));
      expect(inspect({ array }, { depth: 0, breakLength: 200 })).toBe(`{ array: ${array} }`);
      expect(`${view}`).toBe(`${name}(<f4 [3, 1] ${place}C-contiguous, ${memory}, a view)`);
      array[Symbol.dispose]();
      expect(inspect(array)).toBe(`${name}(<f4 [1, 3], disposed)`);
      expect(inspect(view)).toBe(`${name}(<f4 [3, 1], disposed)`);
    });

    test('properties of the layout are those of the descriptor', async () => {
      using array = await backend.array([[1, 2, 3]], { dtype: 'int16' });
      const view = array.slice([0, [null, null, 2]]);
      const { ndim, size, itemsize, nbytes, byteStrides, elementStrides, contiguous } = view;
      expect({ ndim, size, itemsize, nbytes }).toEqual({
        ndim: 1,
        size: 2,
        itemsize: 2,
        nbytes: 4,
      });
      expect({ byteStrides, elementStrides }).toEqual({ byteStrides: [4], elementStrides: [2] });
      expect(contiguous).toEqual({ c: false, f: false });
    });
  });
}
