import type { ArrayDescriptor } from '@array-interface/core';
import pc from 'picocolors';
import type { Described } from '../values/describe-value.js';
import { memoryMap, overlaps } from './memory-map.js';
import { offsetGrid } from './offset-grid.js';
import { recordLines } from './record-lines.js';
import { plural, shapeOf } from './words.js';

/** A readable picture of one layout, several lines. */
export function picture({ protocol, version, array }: Described): string {
  const { dtype, pointer, base } = array;
  const from = base === null ? '' : `, element ${base.elementOffset} from ${hex(base.pointer)}`;
  const lines = [
    `${pc.bold(`${dtype.typestr}  ${shapeOf(array)}`)}  ${pc.dim(`${protocol} version ${version}`)}`,
    `  at       ${hex(pointer)}${from}`,
    `  bytes    ${bytes(array)}`,
    `  order    ${order(array)}${array.readOnly ? ', read-only' : ''}${pending(array)}`,
    ...axes(array),
    ...recordLines(dtype),
    ...maskLine(array),
    ...offsetGrid(array),
    ...memoryMap(array),
  ];
  return lines.join('\n');
}

function hex(pointer: bigint): string {
  return `0x${pointer.toString(16)}`;
}

function bytes({ size, nbytes, extent: [low, high] }: ArrayDescriptor): string {
  if (size === 0) return 'none, as there is no element';
  const gaps = high - low - nbytes;
  const elements = `${nbytes} in ${plural(size, 'element')}`;
  const span = low === 0 ? `over ${high}` : `between ${low} and ${high} from there`;
  if (gaps === 0 && low === 0) return elements;
  return `${elements}, ${span}`;
}

function order({ contiguous, byteStrides, shape }: ArrayDescriptor): string {
  if (contiguous.c && contiguous.f) return 'C and Fortran contiguous';
  if (contiguous.c) return 'C contiguous';
  if (contiguous.f) return 'Fortran contiguous';
  const long = byteStrides.filter((_, axis) => (shape[axis] as number) > 1);
  if (long.includes(0)) return 'broadcast';
  return long.some((stride) => stride < 0) ? 'strided, partly backwards' : 'strided';
}

function pending({ stream }: ArrayDescriptor): string {
  if (stream === null) return '';
  const name = { 1: 'the legacy default stream', 2: 'the per-thread default stream' }[
    String(stream)
  ];
  return `, work may be pending on ${name ?? `stream ${hex(stream)}`}`;
}

/** Each axis: its length, direction and step, and what lies between one step and the next. */
function axes(array: ArrayDescriptor): string[] {
  const { shape, byteStrides, itemsize } = array;
  const between = array.size === 0 ? [] : gaps(array);
  return shape.map((length, axis) => {
    const stride = byteStrides[axis] as number;
    const head = `${`  axis ${axis}`.padEnd(11)}${length} long`;
    if (length < 2 || array.size === 0) return head;
    if (stride === 0) return `${head}, • the same again (0 bytes)`;
    const whole = stride % itemsize === 0;
    const step = whole ? ` (${plural(stride / itemsize, 'element')})` : ' (no whole elements)';
    return `${head}, ${stride > 0 ? '→' : '←'} ${plural(stride, 'byte')}${step}, ${between[axis]}`;
  });
}

/**
 * Reports the bytes that one step of each axis leaves unused beyond the axes with smaller steps.
 */
function gaps(array: ArrayDescriptor): string[] {
  const { shape, byteStrides, itemsize } = array;
  const found: string[] = [];
  const step = (axis: number) => Math.abs(byteStrides[axis] as number);
  let block = itemsize;
  for (const axis of [...shape.keys()].sort((a, b) => step(a) - step(b) || b - a)) {
    const length = shape[axis] as number;
    if (length < 2) continue;
    const gap = step(axis) - block;
    found[axis] = gap === 0 ? 'no gap' : gap > 0 ? `gaps of ${gap}` : tangled(array);
    block += (length - 1) * step(axis);
  }
  return found;
}

function tangled(array: ArrayDescriptor): string {
  const answer = overlaps(array);
  if (answer === null) return 'interleaved, maybe overlapping';
  return answer ? 'overlapping' : 'interleaved';
}

function maskLine({ mask }: ArrayDescriptor): string[] {
  if (mask === null) return [];
  const unit = mask.dtype.kind === 't' ? 'a bit each' : order(mask);
  return [
    `  mask     ${mask.dtype.typestr} [${mask.shape.join(', ')}] at ${hex(mask.pointer)}, ${unit}`,
  ];
}
