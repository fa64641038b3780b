import { mismatch } from '../../errors/mismatch.js';
import { showList } from '../../errors/show.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { Signature } from '../../kernel/signature.js';
import type { GroupLimits } from '../interface/driver.js';
import type { LocalMemory } from './bind-arguments.js';

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
