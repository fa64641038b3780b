import type { ArrayDescriptor } from '@array-interface/core';
import pc from 'picocolors';
import type { Described } from './describe-value.js';

/** Cells of the drawn byte range. */
const WIDTH = 64;
/** Elements that are drawn at most. */
const DRAWN = 100_000;

/** A readable picture of one layout, several lines. */
export function picture({ protocol, version, array }: Described): string {
  const { dtype, pointer, extent } = array;
  const shape = array.ndim === 0 ? 'one element' : array.shape.join(' × ');
  const lines = [
    `${pc.bold(`${dtype.typestr}  ${shape}`)}  ${pc.dim(`${protocol} version ${version}`)}`,
    `  at       ${hex(pointer)}${array.base === null ? '' : `, element ${array.base.elementOffset} from ${hex(array.base.pointer)}`}`,
    `  bytes    ${array.nbytes} in ${array.size} elements, between ${extent[0]} and ${extent[1]} from there`,
    `  order    ${order(array)}${array.readOnly ? ', read-only' : ''}${pending(array)}`,
    ...axes(array),
    ...fields(array),
    ...maskLine(array),
    ...map(array),
  ];
  return lines.join('\n');
}

function hex(pointer: bigint): string {
  return `0x${pointer.toString(16)}`;
}

function order({ contiguous }: ArrayDescriptor): string {
  if (contiguous.c && contiguous.f) return 'C and Fortran contiguous';
  if (contiguous.c) return 'C contiguous';
  return contiguous.f ? 'Fortran contiguous' : 'strided';
}

function pending({ stream }: ArrayDescriptor): string {
  if (stream === null) return '';
  const name = { 1: 'the legacy default stream', 2: 'the per-thread default stream' }[
    String(stream)
  ];
  return `, work may be pending on ${name ?? `stream ${hex(stream)}`}`;
}

function axes({ shape, byteStrides, elementStrides }: ArrayDescriptor): string[] {
  return shape.map((length, axis) => {
    const elements =
      elementStrides === null ? 'no whole elements' : `${elementStrides[axis]} elements`;
    return `  axis ${axis}   ${length} long, ${byteStrides[axis]} bytes apart (${elements})`;
  });
}

function fields({ dtype }: ArrayDescriptor): string[] {
  return (dtype.fields ?? []).map((field) => {
    const repeated = field.shape.length === 0 ? '' : ` × [${field.shape.join(', ')}]`;
    return `  field    ${field.name}: ${field.dtype.typestr}${repeated} at byte ${field.offset}`;
  });
}

function maskLine({ mask }: ArrayDescriptor): string[] {
  if (mask === null) return [];
  return [`  mask     ${mask.dtype.typestr} [${mask.shape.join(', ')}] at ${hex(mask.pointer)}`];
}

/** The byte range drawn: full where elements are, a dot where none is, `0` at the first element. */
function map(array: ArrayDescriptor): string[] {
  const [low, high] = array.extent;
  if (high === low || array.size > DRAWN) return [];
  const width = Math.min(WIDTH, high - low);
  const cell = (offset: number) => Math.floor(((offset - low) * width) / (high - low));
  const cells = new Array<string>(width).fill(pc.dim('·'));
  for (const offset of offsets(array)) {
    for (let at = cell(offset); at <= cell(offset + array.itemsize - 1); at++) cells[at] = '█';
  }
  cells[cell(0)] = pc.cyan('0');
  return [`  memory   ${cells.join('')}`];
}

function offsets(array: ArrayDescriptor): number[] {
  let found = [0];
  for (const [axis, length] of array.shape.entries()) {
    const stride = array.byteStrides[axis] as number;
    found = found.flatMap((at) => Array.from({ length }, (_, i) => at + i * stride));
  }
  return found;
}
