import { type ArrayDescriptor, isArrayInterfaceError, makeDescriptor } from '@array-interface/core';
import { overlapsItself, sharesMemory } from '@array-interface/core/overlap';
import pc from 'picocolors';

/** Cells of the drawn byte range. */
const WIDTH = 64;
/**
 * Maximum number of elements that are counted one by one. Beyond it, each cell is only tested for
 * an element.
 */
const COUNTED = 100_000;
/** Maximum number of steps of an exact answer for one cell. */
const MOST_WORK = 10_000;

/** What a cell contains. */
type Cell = 'gap' | 'part' | 'full' | 'several';

const SIGNS: Readonly<Record<Cell, string>> = { gap: '·', part: '▒', full: '█', several: '▓' };
const MEANINGS: Readonly<Record<Cell, string>> = {
  gap: 'gap',
  part: 'elements and gaps',
  full: 'elements',
  several: 'several elements at one place',
};

/**
 * Draws an array's byte range, its ends, and a legend. If a sign represents several bytes, draws
 * the lowest bytes again, one sign each. Draws nothing for an array without bytes, or if the answer
 * would take too long.
 */
export function memoryMap(array: ArrayDescriptor): string[] {
  const [low, high] = array.extent;
  const width = Math.min(WIDTH, high - low);
  if (width === 0) return [];
  const cells =
    array.size > COUNTED
      ? touched(array, low, high, isFull(array) ? 'full' : 'part')
      : counted(array, width);
  if (cells === null) return [];
  const scale = (high - low) / width;
  const close = scale < 2 ? [] : touched(array, low, low + WIDTH, 'full');
  if (close === null) return [];
  const legend = (Object.keys(SIGNS) as Cell[])
    .filter((kind) => [...cells, ...close].includes(kind))
    .map((kind) => `${SIGNS[kind]} ${MEANINGS[kind]}`);
  const sign = scale === 1 ? 'a sign is a byte' : `a sign is ${Number(scale.toPrecision(3))} bytes`;
  const indent = ' '.repeat(11);
  return [
    `  memory   ${bar(cells, Math.floor(-low / scale))}`,
    indent + pc.dim(ends(low, high, width)),
    ...(close.length === 0
      ? []
      : [`  closer   ${bar(close, -low)}`, indent + pc.dim(ends(low, low + WIDTH, WIDTH))]),
    indent + pc.dim([...legend, '0 the first element', sign].join(', ')),
  ];
}

function bar(cells: readonly Cell[], first: number): string {
  const drawn = cells.map((cell) => (cell === 'gap' ? pc.dim(SIGNS.gap) : SIGNS[cell]));
  if (first < cells.length) drawn[first] = pc.cyan('0');
  return drawn.join('');
}

function ends(low: number, high: number, width: number): string {
  const [from, to] = [String(low), String(high)];
  const room = width - from.length - to.length;
  return room < 1 ? `${from} .. ${to}` : from + ' '.repeat(room) + to;
}

/** Returns whether elements share bytes. Null if that is too hard to determine. */
export function overlaps(array: ArrayDescriptor): boolean | null {
  return unlessHard(() => overlapsItself(array, { maxWork: MOST_WORK }));
}

/** True if there is no gap. */
function isFull(array: ArrayDescriptor): boolean {
  const [low, high] = array.extent;
  return array.nbytes === high - low && overlaps(array) === false;
}

function unlessHard<T>(answer: () => T): T | null {
  try {
    return answer();
  } catch (error) {
    if (isArrayInterfaceError(error, 'ERR_TOO_HARD')) return null;
    throw error;
  }
}

/** Classifies each cell by how many bytes of elements lie in it. */
function counted(array: ArrayDescriptor, width: number): Cell[] {
  const [low, high] = array.extent;
  const start = (cell: number) => low + Math.ceil((cell * (high - low)) / width);
  const bytes = new Array<number>(width).fill(0);
  const twice = new Array<boolean>(width).fill(false);
  let end = low;
  for (const offset of offsets(array).sort((a, b) => a - b)) {
    const after = offset + array.itemsize;
    let cell = Math.floor(((offset - low) * width) / (high - low));
    for (; cell < width && start(cell) < after; cell++) {
      const [from, to] = [Math.max(offset, start(cell)), Math.min(after, start(cell + 1))];
      if (from < Math.min(to, end)) twice[cell] = true;
      bytes[cell] = (bytes[cell] as number) + Math.max(0, to - Math.max(from, end));
    }
    end = Math.max(end, after);
  }
  return bytes.map((count, cell) => {
    if (twice[cell] === true) return 'several';
    if (count === 0) return 'gap';
    return count === start(cell + 1) - start(cell) ? 'full' : 'part';
  });
}

/**
 * Classifies each of `WIDTH` cells by whether an element lies in it. Null if that is too hard to
 * determine.
 */
function touched(array: ArrayDescriptor, low: number, high: number, hit: Cell): Cell[] | null {
  const start = (cell: number) => low + Math.floor((cell * (high - low)) / WIDTH);
  return unlessHard(() =>
    Array.from({ length: WIDTH }, (_, cell) => {
      const part = makeDescriptor({
        pointer: array.pointer + BigInt(start(cell)),
        shape: [start(cell + 1) - start(cell)],
        dtype: 'uint8',
      });
      return sharesMemory(array, part, { maxWork: MOST_WORK }) ? hit : 'gap';
    }),
  );
}

function offsets(array: ArrayDescriptor): number[] {
  let found = [0];
  for (const [axis, length] of array.shape.entries()) {
    const stride = array.byteStrides[axis] as number;
    found = found.flatMap((at) => Array.from({ length }, (_, i) => at + i * stride));
  }
  return found;
}
