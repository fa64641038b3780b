import { readFileSync } from 'node:fs';

/** A line of this process's table of mappings. */
export interface Mapping {
  readonly low: bigint;
  readonly high: bigint;
  readonly flags: string;
}

/** The mappings whose flags match. */
export function mappings(flags: RegExp): Mapping[] {
  return readFileSync('/proc/self/maps', 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, low, high, found] = /^([0-9a-f]+)-([0-9a-f]+) (\S+) /.exec(line) ?? [];
      if (found === undefined || !flags.test(found)) return [];
      return [{ low: BigInt(`0x${low}`), high: BigInt(`0x${high}`), flags: found }];
    });
}
