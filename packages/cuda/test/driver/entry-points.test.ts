import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { entryPoints } from '../support/entry-points.js';

const page = readFileSync(
  new URL('../../../../docs/internals/cuda-driver.md', import.meta.url),
  'utf8',
);
const rows = [...page.matchAll(/^\| `(\w+)` \| `(\w+)` \| (\d+)\.(\d) \| (\S.*) \|$/gm)];

/**
 * Where a driver lacks them, a context's reset shows only until somebody uses it again, and `launch`
 * trusts the definition of a kernel.
 */
const WITHOUT = ['cuCtxGetId', 'cuFuncGetParamInfo'];

describe('docs/internals/cuda-driver.md', () => {
  test('lists the driver functions in use, each with the version of its ABI', () => {
    const listed = rows.map(([, name, symbol, major, minor]) => ({
      name,
      symbol,
      version: Number(major) * 1000 + Number(minor) * 10,
    }));
    expect(listed).toEqual(entryPoints);
    expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
  });

  test('requests no function of a later ABI than the oldest driver’s, except two optional ones', () => {
    const later = entryPoints.filter(({ version }) => version > 11020).map(({ name }) => name);
    expect(later).toEqual(WITHOUT);
  });
});
