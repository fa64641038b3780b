import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { type Launch, type Signature, slotBytes } from '@array-interface/core/backend';
import { addon, type ProgramHandle } from '../addon.js';
import type { HostQueue } from '../order/queue.js';

/** Bytes of a value. */
const VALUE = 8;

/** A program that was checked for a kernel's parameters. */
export class HostProgram {
  readonly handle: ProgramHandle;
  /** First and last byte of each array in a launch. Kept: new memory costs more than a short run. */
  readonly extents: Float64Array;
  /** The same memory, as the addon reads it. */
  readonly extentBytes: Uint8Array;

  constructor(handle: ProgramHandle, arrays: number) {
    this.handle = handle;
    this.extents = new Float64Array(2 * arrays);
    this.extentBytes = new Uint8Array(this.extents.buffer);
  }
}

/** Checks a program for a kernel's parameters. Throws ERR_KERNEL. */
export function readProgram(program: Uint8Array, { slots, types }: Signature): HostProgram {
  const arrays: number[] = [];
  let place = 0;
  for (const slot of slots) {
    if (slot.kind === 'array') arrays.push(place, slot.dtype.itemsize, Number(slot.writes));
    place += slotBytes(slot) / VALUE;
  }
  const handle = addon().readProgram(new Uint8Array(program), words(types), words(arrays));
  return new HostProgram(handle, arrays.length / 3);
}

/** Computes a program on the queue's threads, before it returns. Throws ERR_KERNEL. */
export function runProgram(
  { threads }: HostQueue,
  { handle, extents, extentBytes }: HostProgram,
  { range, values, arrays }: Launch,
): undefined {
  const [count = 0, ...others] = range;
  if (others.length > 0) {
    const message = `expected a range of one axis for a program, got one of ${range.length}`;
    throw new ArrayInterfaceError('ERR_KERNEL', 'range', message);
  }
  for (let index = 0; index < arrays.length; index++) {
    extents.set((arrays[index] as ArrayDescriptor).extent, 2 * index);
  }
  addon().runProgram(handle, values, extentBytes, count, threads);
}

function words(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}
