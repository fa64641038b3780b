import { mismatch } from '../../errors/mismatch.js';
import { showList } from '../../errors/show.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { Signature } from '../../kernel/signature.js';
import type { GroupLimits } from '../interface/driver.js';
import type { LocalMemory } from './bind-arguments.js';
import type { Grid } from './grid.js';

/**
 * Returns the items of a group along each axis of the range: those that the launch names, or those
 * that the code requires, the last axis the fastest. Null: the backend may choose. Throws
 * ERR_ARGUMENT if they are not the same.
 */
export function groupOf(
  name: string,
  { range, group }: Grid,
  required: readonly number[] | undefined,
): readonly number[] | null {
  if (required === undefined) return group;
  const own = aligned(required, range.length);
  const expected = `groups of ${showList(trimmed(required))}, which the code of '${name}' requires`;
  if (own === null) {
    throw mismatch(
      'ERR_ARGUMENT',
      'range',
      `a range of ${trimmed(required).length} axes for ${expected}`,
      showList(range),
    );
  }
  if (group === null || group.every((size, axis) => size === own[axis])) return own;
  throw mismatch(
    'ERR_ARGUMENT',
    'group',
    expected,
    showList(group),
    'pass that group, or leave group out',
  );
}

/** The sizes of the last axes. Null if another axis has more than one item. */
function aligned(required: readonly number[], axes: number): readonly number[] | null {
  const sizes = trimmed(required);
  if (sizes.length > axes) return null;
  return [...Array.from({ length: axes - sizes.length }, () => 1), ...sizes];
}

/** Leaves out the first axes that have one item. Keeps the last axis. */
function trimmed(required: readonly number[]): readonly number[] {
  const first = required.findIndex((size) => size > 1);
  return required.slice(first < 0 ? -1 : first);
}

/**
 * Rejects local memory without a group: the number of items that share it depends on the group, and
 * each backend would choose another. Throws ERR_ARGUMENT.
 */
export function assertNamesGroup(group: readonly number[] | null, { slots }: Signature): void {
  if (group !== null) return;
  const local = slots.find(({ kind }) => kind === 'local');
  if (local === undefined) return;
  throw mismatch(
    'ERR_ARGUMENT',
    'group',
    `a group for a kernel with local memory ('${local.name}')`,
    'none',
    'pass one, since its items share that memory: { range, group: [64] }',
  );
}

/**
 * Rejects a group that exceeds the device's limits for the kernel, before anything runs. Otherwise
 * a driver may report little, or continue and corrupt its context. Throws ERR_ARGUMENT.
 */
export function checkGroup(
  { name }: Kernel,
  group: readonly number[],
  local: readonly LocalMemory[],
  { items, axes, localBytes }: GroupLimits,
): void {
  const all = group.reduce((product, size) => product * size, 1);
  if (all > items) {
    const expected = `at most ${items} items in a group of '${name}' on this device`;
    throw mismatch('ERR_ARGUMENT', 'group', expected, all, 'use a smaller group');
  }
  group.forEach((size, axis) => {
    const most = axes[group.length - 1 - axis] as number;
    if (size <= most) return;
    const expected = `at most ${most} items of a group along axis ${axis} on this device`;
    throw mismatch(
      'ERR_ARGUMENT',
      `group[${axis}]`,
      expected,
      showList(group),
      'use a smaller group',
    );
  });
  let bytes = 0;
  for (const one of local) {
    bytes += one.bytes;
    if (bytes <= localBytes) continue;
    const expected = `at most ${localBytes} bytes of local memory for a group of '${name}' on this device`;
    throw mismatch('ERR_ARGUMENT', one.name, expected, bytes, 'ask for less, with a smaller group');
  }
}
