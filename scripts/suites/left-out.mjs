import os from 'node:os';
import path from 'node:path';
import { root } from '../run.mjs';

/**
 * A line for each test that a report of vitest has and that did not run: no skip is silent. Who runs the
 * tests stands there, since those that play two users want root. `.ci/run` repeats these lines at its end.
 */
export function leftOutTests({ testResults }, uid = os.userInfo().uid) {
  const user = uid === 0 ? '' : ` as user ${uid}, who is not root`;
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => `not run${user}: ${path.relative(root, name)}: ${fullName}`),
  );
}
