import { ArrayInterfaceError } from '@array-interface/core';
import { type Launch, type Signature, slotBytes } from '@array-interface/core/backend';
import { addon, type ProgramHandle } from '../addon.js';
import type { HostQueue } from '../order/queue.js';

/** Bytes of a value. */
const VALUE = 8;

/** Checks a program for a kernel's parameters. Throws ERR_KERNEL. */
export function readProgram(program: Uint8Array, { slots, types }: Signature): ProgramHandle {
  const arrays: number[] = [];
  let place = 0;
  for (const slot of slots) {
    if (slot.kind === 'array') arrays.push(place, slot.dtype.itemsize, Number(slot.writes));
    place += slotBytes(slot) / VALUE;
  }
  return addon().readProgram(new Uint8Array(program), words(types), words(arrays));
}

/** Computes a program on the queue's threads, before it returns. Throws ERR_KERNEL. */
export function runProgram(
  { threads }: HostQueue,
  program: ProgramHandle,
  { range, values, arrays }: Launch,
): undefined {
  const [count = 0, ...others] = range;
  if (others.length > 0) {
    const message = `expected a range of one axis for a program, got one of ${range.length}`;
    throw new ArrayInterfaceError('ERR_KERNEL', 'range', message);
  }
  const extents = new Uint8Array(Float64Array.from(arrays.flatMap(({ extent }) => extent)).buffer);
  addon().runProgram(program, values, extents, count, threads);
}

function words(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}
