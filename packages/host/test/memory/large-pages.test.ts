import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { host } from '../../src/index.js';

/** Linux's flags of the mapping around an address: `hg` if large pages were requested. */
function flagsAt(pointer: bigint): string[] {
  const mappings = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const around = mappings.find((mapping) => {
    const [, low, high] = /^([0-9a-f]+)-([0-9a-f]+) /.exec(mapping) ?? [];
    return low !== undefined && pointer >= BigInt(`0x${low}`) && pointer < BigInt(`0x${high}`);
  });
  return (
    /^VmFlags: (.*)$/m
      .exec(around ?? '')?.[1]
      ?.trim()
      .split(' ') ?? []
  );
}

test('large memory is on large pages if the system has any, small memory is not', async () => {
  const hasLargePages = existsSync('/sys/kernel/mm/transparent_hugepage/enabled');
  using large = host.empty([8 << 20], 'uint8');
  await host.fill(large, 1);
  expect(flagsAt(large.pointer + 4096n).includes('hg')).toBe(hasLargePages);
  using small = host.empty([1 << 20], 'uint8');
  expect(flagsAt(small.pointer).includes('hg')).toBe(false);
  const largePage = 2n << 20n;
  for (const mebibytes of [8, 9, 33]) {
    using other = host.empty([mebibytes << 20], 'uint8');
    expect(other.pointer % largePage, `where ${mebibytes} MiB lie in a large page`).toBe(0n);
  }
});
