import { type ArrayDescriptor, makeDescriptor } from '@array-interface/core';
import type { CopyExplanation } from '@array-interface/host';
import { speedOf, timeOf } from '../picture/copy-speed.js';

/** Asks the planner. */
type Plan = (
  destination: ArrayDescriptor,
  source: ArrayDescriptor,
  threads?: number,
) => CopyExplanation;

/** What can be copied faster, how it is copied, and its estimate. */
interface Alternative {
  readonly text: string;
  readonly time: string;
  readonly estimate: number;
}

/** A call takes longer than one memcpy of fewer bytes (`bench/results`, calls). */
const CALL_BYTES = 2 ** 14;

/** An alternative has to be this many times as fast. */
const WORTHWHILE = 1.25;

/**
 * Says whether a copy is fast, why, and which other layouts the planner could copy faster, or
 * whether a second thread would help.
 */
export function adviceOn(
  destination: ArrayDescriptor,
  source: ArrayDescriptor,
  explanation: CopyExplanation,
  plan: Plan,
): string {
  if (destination.size === 0) return 'Nothing is moved.';
  if (explanation.way === 'memcpy') return 'Fast: it is one memcpy.';
  const { estimate, why } = speedOf(destination, source, explanation);
  if (Math.max(destination.nbytes, source.nbytes) / estimate < CALL_BYTES) {
    return 'Too small to matter: the call itself takes longer than moving the bytes.';
  }
  const time = timeOf(estimate);
  const help = [
    ...alternatives(destination, source, plan).filter(
      (one) => one.estimate > WORTHWHILE * estimate && one.time !== time.toLowerCase(),
    ),
    ...threads(destination, source, explanation, plan, estimate),
  ].map((one) => `${one.text} (${one.time})`);
  const faster = help.length === 0 ? '' : ` Faster: ${help.join('; ')}.`;
  return `${time}: ${why}.${faster}`;
}

function alternatives(to: ArrayDescriptor, from: ArrayDescriptor, plan: Plan): Alternative[] {
  const repeats = from.shape.some((length, axis) => length > 1 && from.byteStrides[axis] === 0);
  const inOrder = repeats ? to : dense(to, from);
  const native = withDType(from, to);
  const all: readonly (readonly [string, ArrayDescriptor, ArrayDescriptor])[] = [
    [`a destination of byte strides ${inOrder.byteStrides}`, inOrder, from],
    [`a source of ${to.dtype.typestr}`, to, native],
    ['a source without gaps', to, dense(from, from)],
  ];
  return all.map(([text, destination, source]) => {
    const explanation = plan(destination, source);
    const { estimate } = speedOf(destination, source, explanation);
    const time = explanation.way === 'memcpy' ? 'one memcpy' : timeOf(estimate).toLowerCase();
    return { text, time, estimate };
  });
}

/** The same elements without gaps, in the order in which another array has its axes in memory. */
function dense(array: ArrayDescriptor, like: ArrayDescriptor): ArrayDescriptor {
  const byteStrides = array.shape.map(() => 0);
  const steps = like.byteStrides.map((stride, axis) => ({ axis, step: Math.abs(stride) }));
  let block = array.itemsize;
  for (const { axis, step } of steps.sort((a, b) => a.step - b.step || b.axis - a.axis)) {
    if (array === like && step === 0) continue;
    byteStrides[axis] = block;
    block *= array.shape[axis] as number;
  }
  const { pointer, shape, dtype } = array;
  return makeDescriptor({ pointer, shape, byteStrides, dtype });
}

/** The source with the destination's dtype, or as it is if its strides are of no whole elements. */
function withDType(source: ArrayDescriptor, { dtype, itemsize }: ArrayDescriptor): ArrayDescriptor {
  const { pointer, shape, elementStrides } = source;
  const byteStrides = elementStrides?.map((stride) => stride * itemsize);
  // strides that the address space cannot hold are no alternative
  if (!byteStrides?.every((stride) => Math.abs(stride) < 2 ** 40)) return source;
  return makeDescriptor({ pointer, shape, byteStrides, dtype });
}

/** A second thread gains little where one already has the speed of memory. */
function threads(
  destination: ArrayDescriptor,
  source: ArrayDescriptor,
  { pieces }: CopyExplanation,
  plan: Plan,
  estimate: number,
): Alternative[] {
  if (estimate > 0.9 || pieces > 1 || plan(destination, source, 2).pieces < 2) return [];
  return [{ text: '--threads 2', time: 'two pieces', estimate }];
}
