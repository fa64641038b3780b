import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Long, because a test may take many times as long when other work is running. The watchdog ends
 * tests that never end.
 */
const PATIENCE = 600_000;

/** How vitest runs the tests of a project, with the project's own options. */
export function projectConfig(name, { setupFiles = [], ...test } = {}) {
  return defineConfig({
    test: {
      name,
      testTimeout: PATIENCE,
      hookTimeout: PATIENCE,
      ...test,
      setupFiles: [here('watchdog.mjs'), here('environment.mjs'), ...setupFiles],
    },
  });
}
