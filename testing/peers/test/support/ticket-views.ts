import type { SharedTicket } from '@array-interface/core/backend';
import type { Step } from './random-views.js';

interface Viewable<A> {
  slice(ranges: readonly unknown[]): A;
  permuteDims(axes: readonly number[]): A;
  flip(axes: readonly number[]): A;
}

/** The last of the views that the steps make one of another. */
export function viewed<A extends Viewable<A>>(array: A, steps: readonly Step[]): A {
  let view = array;
  for (const [name, argument] of steps) {
    if (name === 'slice') view = view.slice(argument);
    else if (name === 'permuteDims') view = view.permuteDims(argument);
    else if (argument.length > 0) view = view.flip(argument);
  }
  return view;
}

/** The bytes of a ticket's elements in C order, found in its memory by nothing but its own numbers. */
export function bytesOf(ticket: SharedTicket, memory: Uint8Array): string {
  const { shape, byteStrides, offset, typestr } = ticket;
  const width = Number(/\d+/.exec(typestr)?.[0]) * (typestr[1] === 'U' ? 4 : 1);
  let starts = [offset];
  for (const [axis, length] of shape.entries()) {
    const steps = Array.from({ length }, (_, index) => index * (byteStrides[axis] as number));
    starts = starts.flatMap((start) => steps.map((step) => start + step));
  }
  const elements = starts.map((start) => memory.subarray(start, start + width));
  return Buffer.concat(elements).toString('hex');
}
