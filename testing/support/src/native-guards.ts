/** A layout of one side: bytes between its units along each axis, counted in units. */
interface Side {
  readonly start: number;
  readonly strides: readonly number[];
  /** How many bytes it takes, from its first to its last. */
  readonly bytes: number;
}

/** A plan of a copy whose sides have their first bytes at 0, and how many bytes each needs. */
export interface ExactPlan {
  readonly name: string;
  readonly plan: {
    readonly destination: bigint;
    readonly source: bigint;
    readonly unit: number;
    readonly shape: readonly number[];
    readonly destinationStrides: readonly number[];
    readonly sourceStrides: readonly number[];
    readonly conversion: object | null;
    readonly nbytes: number;
  };
  readonly destinationBytes: number;
  readonly sourceBytes: number;
}

/** Shapes, and strides of their destination and source in units. */
const LAYOUTS: readonly (readonly [string, number[], number[], number[]])[] = [
  ['one unit', [1], [1], [1]],
  ['a row', [5], [1], [1]],
  ['a row to every other', [5], [2], [1]],
  ['every third to a row', [5], [1], [3]],
  ['a reversed source', [5], [1], [-1]],
  ['a reversed destination', [5], [-2], [1]],
  ['rows of a picture', [3, 4], [4, 1], [5, 1]],
  ['rows to a picture', [3, 4], [-5, 1], [4, 1]],
  ['a turned picture', [3, 4], [4, 1], [1, 3]],
  ['one unit repeated', [3, 4], [4, 1], [0, 0]],
];
/** Bytes of the destination's and the source's units, and the types of a conversion. */
const UNITS: readonly (readonly [number, number, string | null, string | null])[] = [
  [1, 1, null, null],
  [4, 4, null, null],
  [16, 16, null, null],
  [1, 8, 'f8', 'u1'],
  [8, 1, 'u1', 'f8'],
  [4, 8, 'f8', 'f4'],
  [8, 4, 'f4', 'f8'],
  [16, 2, 'f2', 'c16'],
];

/** Plans of all kinds of layouts and units: a guard takes each in so many bytes, and in no fewer. */
export function exactPlans(): ExactPlan[] {
  return UNITS.flatMap(([unit, sourceUnit, from, to]) =>
    LAYOUTS.map(([name, shape, destinationStrides, sourceStrides]) => {
      const destination = sideOf(shape, destinationStrides, unit);
      const source = sideOf(shape, sourceStrides, sourceUnit);
      const flags = { swapsSource: false, swapsDestination: false, rounds: false };
      return {
        name: `${name}, of ${sourceUnit} bytes to ${unit}`,
        plan: {
          destination: BigInt(destination.start),
          source: BigInt(source.start),
          unit,
          shape,
          destinationStrides: destination.strides,
          sourceStrides: source.strides,
          conversion: from === null ? null : { from, to, ...flags },
          nbytes: unit * shape.reduce((one, other) => one * other, 1),
        },
        destinationBytes: destination.bytes,
        sourceBytes: source.bytes,
      };
    }),
  );
}

/**
 * What is no plan of a copy, by what is wrong. `numbers` are those that core's `encodePlan` returns
 * of a plan along one axis: two addresses, the unit, the rank, two types, flags, and of the axis
 * its length and both strides.
 */
export function noPlans(numbers: Float64Array): [string, unknown][] {
  const converting = numbers.with(4, 11).with(5, 11);
  const places = ['unit', 'rank', 'from', 'to', 'flags', 'length', 'stride', 'other stride'];
  const odd = [Number.NaN, 0.5, Number.NEGATIVE_INFINITY, 2 ** 53];
  const inPlaces = places.flatMap((name, index) =>
    odd.map((value): [string, unknown] => [`${name} ${value}`, converting.with(index + 2, value)]),
  );
  const many = new Float64Array(300);
  many.set(numbers);
  const detached = numbers.slice();
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  return [
    ...inPlaces,
    ['null', null],
    ['an object', { unit: 1 }],
    ['no axis', numbers.subarray(0, 9)],
    ['no flags', numbers.subarray(0, 6)],
    ['floats of 32 bits', new Float32Array(numbers)],
    ['bytes', new Uint8Array(numbers.buffer)],
    ['detached', detached],
    ['rank 65', many.with(3, 65)],
    ['rank -1', numbers.with(3, -1)],
    ['a unit of 17 bytes', numbers.with(2, 17)],
    ['a type before the first', converting.with(4, -2)],
    ['a type after the last', converting.with(5, 15)],
    ['another flag', converting.with(6, 8)],
  ];
}

function sideOf(shape: readonly number[], steps: readonly number[], unit: number): Side {
  let [low, high] = [0, unit];
  const strides = steps.map((step) => step * unit);
  for (const [axis, stride] of strides.entries()) {
    const reach = ((shape[axis] as number) - 1) * stride;
    if (reach < 0) low += reach;
    else high += reach;
  }
  return { start: -low, strides, bytes: high - low };
}

/** Core's codes of the types that kernels take; the last is a struct's, whose bytes stand above the lowest 8 bits. */
const [LAST_CODE, STRUCT] = [11, 12];

/** 32-bit numbers that are codes of core's types, and that are not: each with one bit too many. */
export function typeCodes(): { readonly known: number[]; readonly unknown: number[] } {
  const known = Array.from({ length: LAST_CODE + 1 }, (_, code) => code);
  const unknown = new Set([STRUCT, 13, 14, 15, 255, 0xffff_ffff]);
  for (const code of [...known, STRUCT]) {
    for (let bit = 4; bit < 32; bit++) {
      const isStruct = code === STRUCT && bit >= 8 && bit < 31;
      if (!isStruct) unknown.add((code | (1 << bit)) >>> 0);
    }
  }
  return { known: [...known, STRUCT | (8 << 8)], unknown: [...unknown] };
}
