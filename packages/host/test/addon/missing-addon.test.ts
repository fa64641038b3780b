import { expect, test, vi } from 'vitest';
import { addon, findAddon } from '../../src/addon.js';
import { refused } from '../support/refused.js';

test('every use of memory without an addon throws', async () => {
  vi.stubEnv('ARRAY_INTERFACE_ADDON_DIR', '/nonexistent');
  expect(findAddon().available).toBe(false);
  vi.unstubAllEnvs(); // what was looked for once is not looked for again
  for (let i = 0; i < 2; i++) await refused(() => addon(), 'ERR_BACKEND_UNAVAILABLE');
});
