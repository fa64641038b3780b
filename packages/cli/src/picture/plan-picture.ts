import type { ArrayDescriptor } from '@array-interface/core';
import type {
  AxisExplanation,
  CopyExplanation,
  TileExplanation,
  TileLoop,
} from '@array-interface/host';
import pc from 'picocolors';
import { plural, shapeOf } from './words.js';

const MIB = 2 ** 20;
const KIB = 2 ** 10;

/** The lines that `explain-copy` prints for a copy; `advice` ends them. */
export function planPicture(
  destination: ArrayDescriptor,
  source: ArrayDescriptor,
  explanation: CopyExplanation,
  advice: string,
): string {
  const types = `${destination.dtype.typestr} from ${source.dtype.typestr}`;
  const { tiles } = explanation;
  return [
    `${pc.bold(`${types}  ${shapeOf(destination)}`)}  ${pc.dim('host')}`,
    line('way', way(explanation)),
    line('unit', unit(explanation)),
    ...(tiles === null ? [] : tileLines(tiles)),
    line('pieces', pieces(explanation)),
    line('speed', advice),
  ].join('\n');
}

function line(name: string, text: string): string {
  return `  ${name.padEnd(9)}${text}`;
}

function tileLines(tiles: TileExplanation): string[] {
  return [
    ...tiles.axes.map((axis, index) => line(`axis ${index}`, axisText(axis))),
    line('order', order(tiles)),
    line('read', reading(tiles)),
    line('between', between(tiles)),
    line('written', writing(tiles)),
  ];
}

function way({ way: what, tiles, unit: bytes, pieceBytes }: CopyExplanation): string {
  if (what === 'nothing') return 'nothing, as there is no element';
  if (tiles === null) return `one memcpy of ${size(pieceBytes)}`;
  if (what === 'runs') return `${plural(tiles.count, 'long run')}, each by a memcpy of its own`;
  const largest = `${plural(tiles.units, 'unit')} (${size(tiles.units * bytes)})`;
  return `${plural(tiles.count, 'tile')} of up to ${largest}`;
}

function unit({ unit: to, sourceUnit, inUnit }: CopyExplanation): string {
  const bytes = plural(to, 'byte');
  const from = sourceUnit === to ? bytes : `${bytes}, from ${plural(sourceUnit, 'byte')}`;
  return inUnit.length === 0 ? from : `${from}: elements along ${axesOf(inUnit)}`;
}

function axisText({ length, destinationStride, sourceStride, side, of }: AxisExplanation): string {
  const origin = of.length === 0 ? 'parts of an element' : axesOf(of);
  const steps = `steps of ${destinationStride} in the destination, ${sourceStride} in the source`;
  const cut = side === length ? 'whole in a tile' : `${side} in a tile`;
  return `${length} long, ${steps}, ${cut}; ${origin}`;
}

function axesOf(axes: readonly number[]): string {
  return `${axes.length === 1 ? 'axis' : 'axes'} ${axes.join(', ')} of the shape`;
}

function order({ order: axes, count }: TileExplanation): string {
  if (axes.length === 0) return count === 1 ? 'one tile is all' : 'as they come';
  return `along ${axes.map((axis) => `axis ${axis}`).join(', then ')}`;
}

const ROWS: Readonly<Partial<Record<TileLoop, string>>> = {
  runs: 'contiguous',
  repeated: 'one unit again and again',
  backwards: 'backwards',
  'every second': 'every second unit',
  'every second backwards': 'every second unit, backwards',
};

const TURNS: Readonly<Partial<Record<TileLoop, string>>> = {
  'into pixels': 'planes into pixels',
  'from pixels': 'pixels into planes',
  turned: 'turned',
  'turned every second': 'turned, every second unit',
};

function reading({ reading: read, writing: written }: TileExplanation): string {
  const { loop, length, stride, columns, times, packs } = read;
  const location = written === null ? 'straight to its place' : packs ? 'packed' : 'where it lies';
  const apart = `${plural(stride, 'byte')} apart`;
  if (columns === 0) {
    const what = ROWS[loop] ?? `units ${apart}`;
    return `${plural(times, 'row')} of ${plural(length, 'unit')}, ${what}; ${location}`;
  }
  const what = TURNS[loop] ?? `turned, units ${apart}`;
  const often = times === 1 ? '' : `, ${times} times`;
  return `${what}: ${plural(columns, 'column')} of ${plural(length, 'unit')}${often}; ${location}`;
}

function between({ steps }: TileExplanation): string {
  const { swapsSource, converts, swapsDestination, repeats } = steps;
  const swap = (bytes: number) => (bytes === 0 ? [] : [`each ${bytes} bytes reversed`]);
  const all = [
    ...swap(swapsSource),
    ...(converts ? ['numbers converted'] : []),
    ...swap(swapsDestination),
    ...(repeats === 1 ? [] : [`each unit repeated ${repeats} times`]),
  ];
  return all.length === 0 ? 'nothing' : all.join(', then ');
}

function writing({ writing: written }: TileExplanation): string {
  if (written === null) return 'as it is read';
  const { rows, length, contiguous, pastCaches } = written;
  const how = contiguous ? '' : ', unit by unit';
  const where = pastCaches ? 'past the caches' : 'through the caches';
  return `${plural(rows, 'row')} of ${plural(length, 'unit')}${how}, ${where}`;
}

function pieces({ pieces: count, pieceBytes }: CopyExplanation): string {
  if (count < 2) return `${count}, on the calling thread`;
  return `${count} of about ${size(pieceBytes)}, each may have a thread; this is the first`;
}

function size(bytes: number): string {
  if (bytes < 10 * KIB) return plural(bytes, 'byte');
  return bytes < 10 * MIB
    ? `${Math.round(bytes / KIB)} KiB`
    : `${(bytes / MIB).toFixed(1).replace(/\.0$/, '')} MiB`;
}
