import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { loadedAddons } from './loaded-addons.js';
import type { Subject } from './subject.js';

/**
 * Checks that the tested build is the one that ARRAY_INTERFACE_ADDON_DIR names, or the package's
 * own.
 */
export function chosenAddon({ name, folder, liveAllocations }: Subject): void {
  test('the loaded addon is the one under test', () => {
    liveAllocations();
    const chosen = process.env.ARRAY_INTERFACE_ADDON_DIR || join(folder, '../build/Release');
    const loaded = loadedAddons(name);
    if (loaded !== null) expect(loaded).toEqual([resolve(chosen, `${name}.node`)]);
  });
}
