import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Long: beside other work a test may take many times as long. What does not end at all, the watchdog ends. */
const PATIENCE = 600_000;

/** How vitest runs the tests of a project, and what differs there. */
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
