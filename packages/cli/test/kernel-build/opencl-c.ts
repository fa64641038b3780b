// Integers as OpenCL C defines them where the runtime for CPUs is wrong in some vectors: it wraps where
// mad_sat saturates, mixes the halves of 64-bit lanes in a shuffle, and makes 2^31 of a float that
// saturates at 0.

/** The lanes of one argument. */
export type Lanes = readonly (number | bigint)[];

/** Returns one lane of a result, from the lanes of a, b and c. */
export type Defined = (lane: number, a: Lanes, b: Lanes, c: Lanes) => bigint;

const ROUNDINGS: Readonly<Record<string, (value: number) => number>> = {
  _rte: roundToEven,
  _rtz: Math.trunc,
  _rtp: Math.ceil,
  _rtn: Math.floor,
};

/** Returns what defines an expression. Null if the runtime is right. */
export function defined(text: string, from: string, to: string): Defined | null {
  const name = text.replace(/\(.*/, '');
  if (name === 'mad_sat') return madSat(scalarOf(from));
  if (name === 'shuffle') return (lane, a, mask) => pick(a, mask[lane]);
  if (name === 'shuffle2') return (lane, a, b, mask) => pick([...a, ...b], mask[lane]);
  const [, rounding] = /^convert_\w+_sat(_rt.)?$/.exec(name) ?? [name, null];
  const isOfFloat = /^(float|double)/.test(from);
  return rounding === null || !isOfFloat ? null : saturated(scalarOf(to), rounding ?? '_rtz');
}

function madSat(type: string): Defined {
  return (lane, ...arguments_) => {
    const [a, b, c] = arguments_.map((lanes) => BigInt(lanes[lane] as bigint)) as [
      bigint,
      bigint,
      bigint,
    ];
    return clamped(a * b + c, type);
  };
}

function pick(lanes: Lanes, index: number | bigint | undefined): bigint {
  return BigInt(lanes[Number(BigInt(index as bigint) & BigInt(lanes.length - 1))] as bigint);
}

function saturated(type: string, rounding: string): Defined {
  const round = ROUNDINGS[rounding] as (value: number) => number;
  return (lane, a) => {
    const value = round(a[lane] as number);
    if (Number.isNaN(value)) return 0n;
    const wide = Math.max(-(2 ** 70), Math.min(2 ** 70, value)); // no BigInt is infinite
    return clamped(BigInt(wide), type);
  };
}

function roundToEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  if (rest !== 0.5) return rest < 0.5 ? down : Math.ceil(value);
  return down % 2 === 0 ? down : down + 1;
}

/** The nearest that an integer type holds. */
function clamped(value: bigint, type: string): bigint {
  const bits = { char: 8n, short: 16n, int: 32n, long: 64n }[type.replace(/^u/, '')] as bigint;
  const least = type.startsWith('u') ? 0n : -(2n ** (bits - 1n));
  const most = least + 2n ** bits - 1n;
  return value < least ? least : value > most ? most : value;
}

function scalarOf(type: string): string {
  return type.replace(/\d+$/, '');
}
