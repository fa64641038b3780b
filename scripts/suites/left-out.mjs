import os from 'node:os';
import path from 'node:path';
import { root } from '../run.mjs';

/**
 * Returns a line for each test in a vitest report that did not run: no skip is silent. A line
 * includes the user, since tests with two users need root. `.ci/run` repeats these lines at its
 * end.
 */
export function leftOutTests({ testResults }, uid = os.userInfo().uid) {
  const user = uid === 0 ? '' : ` as user ${uid}, who is not root`;
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => `not run${user}: ${path.relative(root, name)}: ${fullName}`),
  );
}
