import { type Compatibility, whoCanRead } from '@array-interface/core/compatibility';
import pc from 'picocolors';
import type { Described } from '../values/describe-value.js';

/** What each known consumer would do with an array, one line each. */
export function readers(described: Described): string {
  const found = readersOf(described);
  const width = Math.max(...found.map(({ name }) => name.length));
  const line = (one: Compatibility) => `  ${one.name.padEnd(width)}  ${verdict(one)}`;
  return [
    `  ${pc.dim('who can read this; whether their process can access the memory is not checked')}`,
    ...found.map(line),
  ].join('\n');
}

/** The same for `--json`. */
export function readersReport(described: Described): readonly object[] {
  return readersOf(described).map(({ name, version, by, protocol, takes, why, loses }) => ({
    name,
    version,
    by,
    protocol,
    takes,
    why,
    loses,
  }));
}

/** The memory is that of the dict's protocol, and consumers get a dict of the same version. */
function readersOf({ protocol, version, array }: Described): readonly Compatibility[] {
  return whoCanRead(array, {
    memory: protocol,
    ...(protocol === 'cuda' && { version: version as 0 | 1 | 2 | 3 }),
    // the user can pass any queue; the layout does not depend on which
    ...(array.syclobj === null && { syclobj: '0' }),
  });
}

function verdict({ takes, why, loses }: Compatibility): string {
  if (!takes) return `${pc.red('no')}: ${why}`;
  if (loses.length === 0) return pc.green('yes');
  return `${pc.yellow('yes, but')} it ignores ${loses.join(' and ')}`;
}
