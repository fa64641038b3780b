import { defineKernel, type Kernel } from '@array-interface/core/kernel';
import * as more from './arguments.kernel.js';
import * as made from './contract.kernel.js';

/** target = factor * source + target, for n numbers. */
export const axpy: Kernel<typeof made.axpy.parameters> = defineKernel({
  ...made.axpy,
  code: {
    ...made.axpy.code,
    host: {
      javascript({ source, target, factor, n }) {
        for (let i = 0; i < n; i++) {
          const term = Math.fround(factor * (source[i] as number));
          target[i] = term + (target[i] as number);
        }
      },
    },
  },
});

const MOVE = {
  source: { read: 'int16', strides: 2 },
  target: { write: 'int16', strides: 2 },
  rows: 'uint32',
  columns: 'uint32',
} as const;

/** target = source, in any layout of two axes. */
export const move: Kernel<typeof MOVE> = defineKernel({
  name: made.move.name,
  parameters: MOVE,
  code: {
    ...made.move.code,
    host: {
      javascript({ source, target }, range) {
        const [rows, columns] = range as [number, number];
        const at = ({ offset, strides }: typeof source, row: number, column: number) =>
          offset + row * (strides[0] as number) + column * (strides[1] as number);
        for (let row = 0; row < rows; row++) {
          for (let column = 0; column < columns; column++) {
            const value = source.elements[at(source, row, column)] as number;
            target.elements[at(target, row, column)] = value;
          }
        }
      },
    },
  },
});

/** Every item of a range of three axes adds one to its element. */
export const count: Kernel<typeof made.count.parameters> = defineKernel({
  ...made.count,
  code: {
    ...made.count.code,
    host: {
      javascript({ target }, range) {
        const items = range.reduce((product, length) => product * length, 1);
        for (let i = 0; i < items; i++) target[i] = (target[i] as number) + 1;
      },
    },
  },
});

/** Numbers of all types. */
export const numbers: Kernel<typeof made.numbers.parameters> = defineKernel({
  ...made.numbers,
  code: {
    ...made.numbers.code,
    host: {
      javascript({ integers, floats, a, b, c, d, e, f, g, h, i }) {
        [a, b, c, d, e, f, g, h].forEach((value, index) => {
          integers[index] = BigInt.asIntN(64, BigInt(value));
        });
        floats[0] = i;
      },
    },
  },
});

type ShiftParameters = Omit<typeof more.shift.parameters, 'size' | 'negates'> & {
  readonly size: { readonly size: 'source' };
  readonly negates: 'bool';
};

/** Arguments of every kind: vectors, a length, a struct, a half and a bool. */
export const shift: Kernel<ShiftParameters> = defineKernel({
  ...more.shift,
  parameters: { ...more.shift.parameters, size: { size: 'source' }, negates: 'bool' },
  code: {
    ...more.shift.code,
    host: {
      javascript({ source, size, target, shift: { id, by, scale, parts, step }, ...rest }) {
        const { factor, negates, seen } = rest;
        for (let i = 0; i < size; i++) {
          const sum = Math.fround((source[i] as number) + (by[i % 4] as number));
          target[i] = Math.fround(sum * factor) * (negates ? -1 : 1);
        }
        const all = [
          id,
          scale,
          ...parts.flatMap((row) => Array.from(row)),
          step.first,
          step.second,
        ];
        [...all, Number(negates), size].forEach((value, index) => {
          seen[index] = BigInt(value);
        });
      },
    },
  },
});

/** Each eight numbers the other way round, by way of local memory. */
export const turn: Kernel<typeof more.turn.parameters> = defineKernel({
  ...more.turn,
  code: {
    ...more.turn.code,
    host: {
      javascript({ source, target, room }) {
        for (let start = 0; start < source.length; start += 8) {
          room.set(source.subarray(start, start + 8));
          for (let i = 0; i < 8; i++) target[start + i] = room[7 - i] as number;
        }
      },
    },
  },
});
