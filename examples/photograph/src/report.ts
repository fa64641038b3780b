import { inspect, styleText } from 'node:util';
import type { ArrayDescriptor } from '@array-interface/core';
import type { Timing } from './timing.js';

/** What a reader should know about an array besides its layout. */
export interface Story {
  readonly owner: string;
  /** What was waited for, and by whom. */
  readonly waited: string;
}

/** What the job prints. Layouts, dicts and times are printed only if it is verbose. */
export class Report {
  readonly verbose: boolean;

  constructor(verbose: boolean) {
    this.verbose = verbose;
  }

  heading(text: string): void {
    console.log(`\n${styleText('bold', text)}`);
  }

  /** The heading of one of several steps. */
  step(text: string): void {
    if (this.verbose) this.heading(text);
    else console.log(`  ${text}`);
  }

  line(label: string, value: string): void {
    console.log(`  ${label.padEnd(16)}${value}`);
  }

  /** A line that only the verbose report has. */
  detail(text: string): void {
    if (this.verbose) console.log(text);
  }

  /** An interface dict under its attribute's name. */
  dict(attribute: string, dict: object): void {
    const text = inspect(dict, { depth: 4, breakLength: 96, compact: 2 });
    this.detail(`  ${styleText('cyan', attribute)}\n    ${text.replaceAll('\n', '\n    ')}`);
  }

  /** A descriptor: address, strides in both units, owner, and what was waited for. */
  descriptor(array: ArrayDescriptor, story: Story): void {
    if (!this.verbose) return;
    this.line('pointer', `0x${array.pointer.toString(16)}`);
    this.line('shape', list(array.shape));
    this.line('byteStrides', list(array.byteStrides));
    this.line(
      'elementStrides',
      array.elementStrides === null ? 'none' : list(array.elementStrides),
    );
    if (array.base !== null) {
      const { pointer, elementOffset } = array.base;
      this.line('base', `0x${pointer.toString(16)} + ${elementOffset} elements`);
    }
    this.line('owner', story.owner);
    this.line('waited for', story.waited);
  }

  /** What was shown, in a sentence. `last` is the backend from which the picture came back to CUDA. */
  summary(allAgree: boolean, last: string): void {
    const way =
      last === 'sycl' ? 'through CUDA memory into SYCL USM' : 'through CUDA memory to the host';
    console.log(
      allAgree
        ? `\nThe middle of the photograph went ${way} and back, and was turned upside down on the way. Every byte is as JavaScript alone computes it.`
        : `\nThe photograph went ${way} and back. Some bytes are wrong: the lines with DIFFERS say which.`,
    );
  }

  /** The time of each copy and of a memcpy of as much, in milliseconds. */
  timings(timings: readonly Timing[]): void {
    this.heading('Times');
    const width = Math.max(...timings.map((timing) => timing.what.length)) + 2;
    const row = (cells: readonly string[]) => cells.map((cell) => cell.padStart(12)).join('');
    console.log(
      `  ${' '.repeat(width)}${row(['MB', 'first ms', 'again ms', 'memcpy ms', 'ratio'])}`,
    );
    for (const { what, megabytes, first, again, memcpy } of timings) {
      const numbers = [megabytes, first, again, memcpy].map((number) => number.toFixed(2));
      console.log(`  ${what.padEnd(width)}${row([...numbers, (again / memcpy).toFixed(1)])}`);
    }
  }
}

function list(numbers: readonly number[]): string {
  return `[${numbers.join(', ')}]`;
}
