import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

// What the caller set for their own work would be found by the tests, which set what they need.
for (const name of ['DPCTL_LIBRARY', 'LIBCUDA', 'PYTHON', 'SYCL']) {
  delete process.env[`ARRAY_INTERFACE_${name}`];
}

// And what they have in their cache is not for tests either.
const cache = mkdtempSync(path.join(tmpdir(), 'array-interface-cache-'));
process.env.XDG_CACHE_HOME = cache;
afterAll(() => rmSync(cache, { recursive: true }));
