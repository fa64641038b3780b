import type { ArrayDescriptor } from '@array-interface/core';

/** The lengths of the axes. */
export function shapeOf({ ndim, shape }: ArrayDescriptor): string {
  return ndim === 0 ? 'one element' : shape.join(' × ');
}

/** A number and what it counts. */
export function plural(count: number, what: string): string {
  return `${count} ${what}${Math.abs(count) === 1 ? '' : 's'}`;
}
