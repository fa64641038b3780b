import { numberOfType, programWords, sizeOf } from '../code/bytes.js';
import { FIRST, lengthName, parameterName, scalarName, TOTAL } from '../code/form.js';
import type { Instruction, Program, Register } from '../program/instruction.js';
import type { Method } from './definition.js';
import {
  offsetsOf,
  type ReduceArray,
  type ReduceForm,
  reduceLengthAxes,
  reduceParameters,
  TREE,
} from './form.js';

const MAGIC = 0x5258_4941; // "AIXR"
const VERSION = 1;
/** By their numbers. */
const METHODS: readonly (Method | undefined)[] = [
  undefined,
  'least',
  'greatest',
  'moments',
  'logSumExp',
];
/** The only accumulator of an element that a method takes. */
const TAKEN: Readonly<Record<Method, number>> = {
  least: 0,
  greatest: 0,
  moments: 2,
  logSumExp: 0,
};

/** Returns one launch of a reduction for the host backend: its tree, and three programs. */
export function reductionBytes(form: ReduceForm): Uint8Array {
  const { map, reduce, finish, isSplit, isScan, method, outer, inner, axes, position, arrays } =
    form;
  const parameters = reduceParameters(form);
  const places = new Map(parameters.map((one, place) => [parameterName(one), place]));
  const placeOf = (name: string) => places.get(name) as number;
  const pointerOf = (array: ReduceArray) =>
    parameters.findIndex((one) => one.kind === 'pointer' && one.array === array);
  const scalar = (source: number) => placeOf(scalarName(source));
  const types = map.outputs.flatMap(({ registers }) =>
    registers.map((one) => (map.instructions[one] as Instruction).type),
  );
  const count = types.length;
  // The accumulators are arrays at places behind the parameters: of the first, of the second, results.
  const accumulators = [0, 1, 2].flatMap((set) =>
    types.map((type, index) => [parameters.length + set * count + index, 0, sizeOf(type)]),
  );
  const own = (array: ReduceArray) => [
    pointerOf(array),
    array.mode === 'dense' ? 0 : 2,
    sizeOf(array.type),
  ];
  const tree = [
    FIRST,
    TOTAL,
    TREE.lanes,
    TREE.rows,
    TREE.rest,
    TREE.leafRows,
    TREE.leaves,
    TREE.size,
    TREE.pieces,
  ].map(placeOf);
  const range = [placeOf(FIRST), placeOf(TOTAL)];
  const read = arrays.filter(({ writes, mode }) => !writes && mode === 'strided');
  const written = arrays.filter(({ writes }) => writes);
  const results = (program: Program) =>
    program.outputs
      .flatMap(({ registers }) => registers)
      .map((register, index) => [2 * count + index, 0, register] as const);
  const taken = (all: ReturnType<typeof results>, by: Method) =>
    all.slice(TAKEN[by], TAKEN[by] + 1).map(([, , register]) => [2 * count, 0, register] as const);
  const parts = [
    programWords(map, {
      // The lengths are those of the reduction.
      places: [...range, ...Array.from({ length: outer + inner - 1 }, () => range[1] as number)],
      arrays: [...accumulators, ...read.map(own)],
      scalar,
      load: (source, part) =>
        source === position
          ? ['index', outer, inner - 1]
          : ['load', 3 * count + read.findIndex(({ index }) => index === source), part],
      index: (axis) => axes[axis] as number,
      stores: method === undefined ? results(map) : taken(results(map), method),
    }),
    programWords(reduce, {
      places: range,
      arrays: accumulators,
      scalar,
      load: (source, part) => ['load', (offsetsOf(reduce)[source] as number) + part, 0],
      stores: results(reduce),
    }),
    programWords(finish, {
      places: [
        ...range,
        ...Array.from(
          { length: (isScan ? outer + inner : isSplit ? 1 : outer) - 1 },
          () => range[1] as number,
        ),
      ],
      arrays: [...accumulators, ...written.map(own)],
      scalar,
      load: (source, part) => ['load', (offsetsOf(finish)[source] as number) + part, 0],
      stores: written.flatMap(({ index }, place) =>
        (finish.outputs[index] as Program['outputs'][number]).registers.map(
          (register, part) => [3 * count + place, part, register] as const,
        ),
      ),
    }),
  ];
  const totals = arrays.filter(({ writes, mode }) => !writes && mode === 'dense');
  const words = [
    ...[
      MAGIC,
      VERSION,
      Number(isSplit),
      Number(isScan),
      outer - 1,
      inner - 1,
      count,
      METHODS.indexOf(method),
    ],
    ...tree,
    ...reduceLengthAxes(form).map((axis) => placeOf(lengthName(axis))),
    ...types.map((type: Register) => numberOfType(type)),
    ...totals.map(pointerOf),
    ...parts.map(({ length }) => length),
    ...parts.flat(),
  ];
  return new Uint8Array(Uint32Array.from(words).buffer);
}
