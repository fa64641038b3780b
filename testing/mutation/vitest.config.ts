import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Core's tests, but those of what is not changed here: the backends' base, views and overlap.
const others = ['backend/**', 'numpy-*', 'shares-memory*', 'overlaps-itself*', 'bounded-sum*'];

/** Those that try thousands of random cases. A run ends at the first failure, so they are to be last. */
const SLOW = /\/(hostile|plain|make-view|round-trip|round-trip-views)\.test\.ts$/;

class SlowLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = (file: TestSpecification) => SLOW.test(file.moduleId);
    return [...sorted.filter((file) => !isSlow(file)), ...sorted.filter(isSlow)];
  }
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  test: {
    name: '@array-interface/core',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A worker for each mutant is enough: one for each file takes three times as long.
    isolate: false,
    setupFiles: [file('load-anew.ts')],
    runner: file('runner.ts'),
    sequence: { sequencer: SlowLast },
    exclude: [...configDefaults.exclude, ...others.map((name) => `test/${name}`)],
  },
});
