import { type Compatibility, whoCanRead } from '@array-interface/core/compatibility';
import pc from 'picocolors';
import type { Described } from '../values/describe-value.js';

/** Reports how each known consumer of an interface would read one array, one line each. */
export function readers({ array }: Described): string {
  // The user can pass any queue; the layout does not depend on which.
  const report = whoCanRead(array, array.syclobj === null ? { syclobj: '0' } : {});
  const width = Math.max(...report.map(({ name }) => name.length));
  const line = (one: Compatibility) => `  ${one.name.padEnd(width)}  ${verdict(one)}`;
  return [
    `  ${pc.dim('who can read this layout; whether they can access the memory is not checked')}`,
    ...report.map(line),
  ].join('\n');
}

function verdict({ takes, why, loses }: Compatibility): string {
  if (!takes) return `${pc.red('no')}: ${why}`;
  if (loses.length === 0) return pc.green('yes');
  return `${pc.yellow('yes, but')} it ignores ${loses.join(' and ')}`;
}
