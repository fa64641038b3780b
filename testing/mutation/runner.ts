import { TestRunner, type VitestTestRunner } from 'vitest';

type Import = NonNullable<VitestTestRunner['importFile']>;

/**
 * Loads no further test files once a test has failed, which is half of the time that a mutant takes.
 * vitest makes one for each run.
 */
export default class EndsAtFailure extends TestRunner {
  #isCancelled = false;

  override cancel(...reason: Parameters<TestRunner['cancel']>): void {
    this.#isCancelled = true;
    super.cancel(...reason);
  }

  override importFile(...file: Parameters<Import>): ReturnType<Import> {
    return this.#isCancelled ? undefined : super.importFile(...file);
  }
}
