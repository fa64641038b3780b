import { inspect, styleText } from 'node:util';
import type { ArrayDescriptor } from '@array-interface/core';
import type { Timing } from './timing.js';

/** What a reader should know about an array besides its layout. */
export interface Story {
  readonly owner: string;
  /** What was waited for, and by whom. */
  readonly waited: string;
}

export function heading(text: string): void {
  console.log(`\n${styleText('bold', text)}`);
}

export function line(label: string, value: string): void {
  console.log(`  ${label.padEnd(16)}${value}`);
}

/** Prints an interface dict under its attribute's name. */
export function printDict(attribute: string, dict: object): void {
  const text = inspect(dict, { depth: 4, breakLength: 96, compact: 2 });
  console.log(`  ${styleText('cyan', attribute)}\n    ${text.replaceAll('\n', '\n    ')}`);
}

/** Prints a descriptor: address, strides in both units, owner, and what was waited for. */
export function printDescriptor(array: ArrayDescriptor, story: Story): void {
  line('pointer', `0x${array.pointer.toString(16)}`);
  line('shape', list(array.shape));
  line('byteStrides', list(array.byteStrides));
  line('elementStrides', array.elementStrides === null ? 'none' : list(array.elementStrides));
  if (array.base !== null) {
    const { pointer, elementOffset } = array.base;
    line('base', `0x${pointer.toString(16)} + ${elementOffset} elements`);
  }
  line('owner', story.owner);
  line('waited for', story.waited);
}

/** Prints the time of each copy and of a memcpy of as much, in milliseconds. */
export function printTimings(timings: readonly Timing[]): void {
  const width = Math.max(...timings.map((timing) => timing.what.length)) + 2;
  const row = (cells: readonly string[]) => cells.map((cell) => cell.padStart(12)).join('');
  console.log(`  ${' '.repeat(width)}${row(['MB', 'first ms', 'again ms', 'memcpy ms', 'ratio'])}`);
  for (const { what, megabytes, first, again, memcpy } of timings) {
    const numbers = [megabytes, first, again, memcpy].map((number) => number.toFixed(2));
    console.log(`  ${what.padEnd(width)}${row([...numbers, (again / memcpy).toFixed(1)])}`);
  }
}

function list(numbers: readonly number[]): string {
  return `[${numbers.join(', ')}]`;
}
